package gosrc

import (
	"crypto/sha256"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Text is the source of a package as far as the meaning of a function depends on it: what it declares, as tokens, so
// that neither gofmt nor a comment nor another function makes a difference.
type Text struct {
	fset    *token.FileSet
	decls   map[string][]string   // the tokens of what is declared, by name, methods by their receiver's: "Body.step"
	methods map[string][]string   // keys of decls, by the method's name
	lits    map[string][]*literal // function literals, by file and line: "main.go:12"
	imports map[string]string     // paths, by the names under which files import them
}

type literal struct{ tokens []string }

// ReadText reads the files of a package.
func ReadText(files map[string][]byte) (*Text, error) {
	t := &Text{fset: token.NewFileSet(), decls: map[string][]string{}, methods: map[string][]string{}, lits: map[string][]*literal{}, imports: map[string]string{}}
	for name, src := range files {
		f, err := parser.ParseFile(t.fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		t.add(name, f, src)
	}
	return t, nil
}

func (t *Text) add(name string, f *ast.File, src []byte) {
	tokens := func(n ast.Node) []string {
		return tokensOf(src[t.fset.Position(n.Pos()).Offset:t.fset.Position(n.End()).Offset])
	}
	for _, im := range f.Imports {
		p, _ := strconv.Unquote(im.Path.Value)
		as := path.Base(p)
		if im.Name != nil {
			as = im.Name.Name
		}
		t.imports[as] = p
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			key := d.Name.Name
			if d.Recv != nil && len(d.Recv.List) == 1 {
				key = receiver(d.Recv.List[0].Type) + "." + key
				t.methods[d.Name.Name] = append(t.methods[d.Name.Name], key)
			}
			t.decls[key] = tokens(d)
		case *ast.GenDecl:
			for i, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					t.decls[s.Name.Name] = tokens(s)
				case *ast.ValueSpec:
					for _, n := range s.Names {
						t.decls[n.Name] = tokens(s)
						if d.Tok == token.CONST { // what iota is, and what is repeated, others say
							t.decls[n.Name] = append(tokens(d), strconv.Itoa(i))
						}
					}
				}
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			at := fmt.Sprintf("%s:%d", name, t.fset.Position(lit.Pos()).Line)
			t.lits[at] = append(t.lits[at], &literal{tokens(lit)})
		}
		return true
	})
}

// receiver is the name of a receiver's type.
func receiver(x ast.Expr) string {
	for {
		switch e := x.(type) {
		case *ast.StarExpr:
			x = e.X
		case *ast.IndexExpr:
			x = e.X
		case *ast.IndexListExpr:
			x = e.X
		case *ast.ParenExpr:
			x = e.X
		case *ast.Ident:
			return e.Name
		default:
			return ""
		}
	}
}

// tokensOf are the tokens of a piece of source, those left out that gofmt adds and takes away.
func tokensOf(src []byte) (out []string) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, 0)
	for {
		_, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return out
		case tok == token.SEMICOLON:
			lit = ";"
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			lit = strings.ToLower(lit)
		case lit == "" || tok.IsOperator():
			lit = tok.String()
		}
		if n := len(out) - 1; n >= 0 && (tok == token.RPAREN || tok == token.RBRACE) && (out[n] == ";" || out[n] == ",") {
			out = out[:n]
		}
		out = append(out, lit)
	}
}

// Sum is a checksum of a function, or of the literals that begin in a line ("main.go:12"), and of all that they may
// mean in the package: what they name, and what that names. ok is false where there is no such function.
func (t *Text) Sum(name string) (sum string, ok bool) {
	var todo []string
	seen := map[string]bool{}
	visit := func(tokens []string) {
		for i, tok := range tokens {
			if i > 0 && tokens[i-1] == "." {
				todo = append(todo, t.methods[tok]...)
			}
			if _, is := t.decls[tok]; is {
				todo = append(todo, tok)
			}
			if p := t.imports[tok]; p != "" {
				seen["import "+tok+" "+p] = true
			}
		}
	}
	h := sha256.New()
	if lits := t.lits[name]; lits != nil {
		for _, l := range lits {
			fmt.Fprintf(h, "%q\n", l.tokens)
			visit(l.tokens)
		}
	} else if _, is := t.decls[name]; is {
		fmt.Fprintf(h, "%s\n", name)
		todo = append(todo, name)
	} else {
		return "", false
	}
	for len(todo) > 0 {
		key := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if !seen[key] {
			seen[key] = true
			visit(t.decls[key])
		}
	}
	var keys []string
	for key := range seen {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		fmt.Fprintf(h, "%s %q\n", key, t.decls[key])
	}
	return fmt.Sprintf("%x", h.Sum(nil))[:24], true
}
