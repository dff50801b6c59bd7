package interp

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// absence says why a name is not there that a cell was to declare, or has declared.
type absence struct {
	cell int
	why  string // a format for the cell and the name
}

const (
	cellFailed    = "cell %d, which declares %s, failed: mend it and run it first"
	signatureOnly = "cell %d has only the signature of %s: write its body, in braces, and run it again"
	forgotten     = "cell %d declared %s, which has been forgotten since: run it again"
)

// missing remembers names that cell was to declare and has not.
func (s *Session) missing(cell int, names []string, why string) {
	for _, name := range names {
		if name != "_" && s.names[name] == nil {
			s.absent[name] = absence{cell, why}
		}
	}
}

// forgets remembers which cell has declared what is forgotten.
func (s *Session) forgets(name string) {
	if obj := s.names[name]; obj != nil && obj.Pkg() != nil {
		var cell int
		if _, err := fmt.Sscanf(s.cellOf(obj), " (cell %d)", &cell); err == nil {
			s.absent[name] = absence{cell, forgotten}
		}
	}
}

// failed remembers what a failed cell has not declared.
func (s *Session) failed(cell int, src string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missing(cell, declaredNames(src), cellFailed)
}

// declaredNames finds the names that a cell declares at its top level, also where its syntax has errors.
func declaredNames(src string) (names []string) {
	var sc scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	depth := 0
	group := token.ILLEGAL // what the bracket declares that is open
	var line []string      // names since the statement began
	first, prev := token.SEMICOLON, token.SEMICOLON
	for {
		pos, tok, lit := sc.Scan()
		if off := file.Offset(pos); (tok == token.FUNC || isDeclaring(tok)) && (off == 0 || src[off-1] == '\n') {
			depth, group, first = 0, token.ILLEGAL, token.SEMICOLON // whatever is open before
		}
		word := first
		if depth == 1 && group != token.ILLEGAL {
			word = group
		}
		switch tok {
		case token.EOF:
			return names
		case token.SEMICOLON:
			first, line = token.SEMICOLON, nil
		case token.LPAREN, token.LBRACK, token.LBRACE:
			if depth++; depth == 1 && tok == token.LPAREN && prev == first && isDeclaring(first) {
				group = first
			}
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth = max(depth-1, 0); depth == 0 {
				group = token.ILLEGAL
			}
		case token.IDENT:
			switch {
			case depth == 0 && (prev == token.FUNC || isDeclaring(prev)),
				(prev == token.COMMA || prev == token.SEMICOLON || prev == token.LPAREN) && depth == 1 && group != token.ILLEGAL,
				prev == token.COMMA && depth == 0 && (word == token.VAR || word == token.CONST):
				names = append(names, lit)
			case depth == 0 && (first == token.SEMICOLON || first == token.IDENT):
				line = append(line, lit)
			}
		case token.DEFINE:
			if depth == 0 {
				names = append(names, line...)
			}
		}
		if first == token.SEMICOLON && tok != token.SEMICOLON {
			first = tok
		}
		prev = tok
	}
}

func isDeclaring(tok token.Token) bool {
	return tok == token.VAR || tok == token.CONST || tok == token.TYPE
}

// noMethod is what go/types says of a method that is not there.
var noMethod = regexp.MustCompile(`undefined \(type (?:\S+\.)?(\w+) has no field or method (\w+)\)`)

// undeclared explains that a name is undefined: with what became of the cell that was to declare it, else, where a function is
// called or a function uses it, with the order that cells must have. It returns "" or a line to add to the message.
func (s *Session) undeclared(c *checked, e types.Error) string {
	if m := noMethod.FindStringSubmatch(e.Msg); m != nil {
		if a, ok := s.absent[m[1]+"."+m[2]]; ok {
			return "\n\t" + fmt.Sprintf(a.why, a.cell, m[1]+"."+m[2])
		}
	}
	name, ok := strings.CutPrefix(e.Msg, "undefined: ")
	if !ok || !token.IsIdentifier(name) {
		return ""
	}
	if a, ok := s.absent[name]; ok && s.names[name] == nil {
		return "\n\t" + fmt.Sprintf(a.why, a.cell, name)
	}
	inside, called, pkg := false, false, false
	for _, d := range c.file.Decls {
		fn, ok := d.(*ast.FuncDecl)
		inside = inside || ok && fn != c.entry && fn.Pos() <= e.Pos && e.Pos < fn.End()
	}
	ast.Inspect(c.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, ok := n.Fun.(*ast.Ident)
			called = called || ok && id.Pos() == e.Pos
		case *ast.SelectorExpr:
			pkg = pkg || n.X.Pos() == e.Pos && n.Sel.IsExported()
		}
		return true
	})
	if c.src.whole || !inside && !called || pkg || name == "init" { // which nobody calls
		return ""
	}
	return fmt.Sprintf("\n\t%s is not declared yet: run the cell that declares it before this one, or put both into one cell", name)
}
