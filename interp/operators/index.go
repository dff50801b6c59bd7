package operators

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// The names under which index expressions that are not Go stand in the tree until they are replaced: Index(x, parts…),
// where a part is an expression, Slice(lo, hi, step) or Dots, and None stands for a bound that is left out.
// [Operators.Declare] makes them known to the checker.
const (
	indexName = "index·"
	sliceName = "slice·"
	noneName  = "none·"
	dotsName  = "dots·"
)

// bracket is an index expression of the text that Go's parser refuses.
type bracket struct {
	open, close int // offsets of [ and ]
	parts       []part
}

// part is one index of several: an expression, or lo:hi:step.
type part struct {
	bounds [][2]int // byte ranges of what stands between colons; empty ones for what is left out
	dots   bool
}

// scan finds the index expressions of text[from:to] that Go's parser refuses, outermost ones only.
func scan(text string, from, to int) []bracket {
	type level struct {
		tok    token.Token
		pos    int
		index  bool // stands behind an operand
		colons int
		commas int
		dots   bool
		odd    bool // a colon that Go wants an operand after
		group  bool // of declarations of types
		part   part
		parts  []part
		start  int // of the current bound
	}
	var out []bracket
	var open []level
	var sc scanner.Scanner
	src := text[from:to]
	file := token.NewFileSet().AddFile("", -1, len(src))
	sc.Init(file, []byte(src), func(token.Position, string) {}, 0)
	prev, before := token.ILLEGAL, token.ILLEGAL // the last token and the one before it
	bound := func(l *level, end int) {
		l.part.bounds = append(l.part.bounds, [2]int{l.start, end})
	}
	for {
		pos, tok, lit := sc.Scan()
		at := from + file.Offset(pos)
		if tok == token.EOF {
			return out
		}
		top := (*level)(nil)
		if len(open) > 0 {
			top = &open[len(open)-1]
		}
		if tok == token.SEMICOLON && lit == "\n" && top != nil && top.tok == token.LBRACK {
			continue // the parts of an index may be on several lines
		}
		switch tok {
		case token.LBRACK, token.LPAREN, token.LBRACE:
			operand := prev == token.IDENT || prev == token.RPAREN || prev == token.RBRACK || prev == token.RBRACE
			declared := before == token.FUNC || before == token.TYPE ||
				// type parameters follow
				top != nil && top.group && (before == token.LPAREN || before == token.SEMICOLON)
			open = append(open, level{
				tok: tok, pos: at, index: tok == token.LBRACK && operand && !declared, group: prev == token.TYPE, start: at + 1,
			})
		case token.COLON:
			if top != nil && top.tok == token.LBRACK {
				bound(top, at)
				top.start = at + 1
				top.colons++
				top.odd = top.odd || len(top.part.bounds) > 1 && prev == token.COLON
			}
		case token.COMMA:
			if top != nil && top.tok == token.LBRACK {
				bound(top, at)
				top.odd = top.odd || len(top.part.bounds) > 2 && prev == token.COLON
				top.parts, top.part = append(top.parts, top.part), part{}
				top.start = at + 1
				top.commas++
			}
		case token.ELLIPSIS:
			if top != nil && top.tok == token.LBRACK && (prev == token.LBRACK || prev == token.COMMA) {
				top.dots, top.part.dots = true, true
			}
		case token.RBRACK, token.RPAREN, token.RBRACE:
			if top == nil {
				return out
			}
			l := *top
			open = open[:len(open)-1]
			if tok != token.RBRACK || l.tok != token.LBRACK || !l.index {
				break
			}
			top = &l
			if prev != token.COMMA {
				bound(top, at)
				l.odd = l.odd || len(l.part.bounds) > 2 && prev == token.COLON
				l.parts = append(l.parts, l.part)
			}
			if l.dots || l.odd || l.commas > 0 && (l.colons > 0 || !isTypeList(text, l.parts)) {
				b := bracket{l.pos, at, l.parts}
				// what is inside is found again when the parts are parsed
				for len(out) > 0 && out[len(out)-1].open > b.open {
					out = out[:len(out)-1]
				}
				out = append(out, b)
			}
		}
		before, prev = prev, tok
	}
}

// blank returns text, whose first byte is at the offset start, with the insides of the brackets made one name each, of
// the same length and lines.
func blank(text string, start int, brackets []bracket) string {
	if len(brackets) == 0 {
		return text
	}
	b := []byte(text)
	for _, br := range brackets {
		last := -1
		open, end := br.open-start, br.close-start
		for i := open + 1; i < end; i++ {
			if b[i] != '\n' {
				b[i], last = ' ', i
			}
		}
		if strings.IndexByte(text[last+1:end], '\n') >= 0 { // no semicolon may follow the name at the line's end
			b[last] = ','
			for last--; b[last] == '\n'; last-- {
			}
		}
		b[last] = '_'
	}
	return string(b)
}

// reader parses a text of which some index expressions are not Go.
type reader struct {
	fset *token.FileSet
	name string
	text string
	mode parser.Mode
	base int // of the text's file
}

// Parse is parser.ParseFile for a text that may have index expressions as x[1:5, 0], x[::2] and x[..., 0] in it.
// Positions are those of the text.
func (o *Operators) Parse(fset *token.FileSet, name, text string, mode parser.Mode) (*ast.File, error) {
	brackets := scan(text, 0, len(text))
	if len(brackets) == 0 {
		return parser.ParseFile(fset, name, text, mode)
	}
	r := &reader{fset: fset, name: name, text: text, mode: mode, base: fset.Base()}
	file, err := parser.ParseFile(fset, name, blank(text, 0, brackets), mode)
	if err != nil {
		return file, err
	}
	return file, r.fill(file, brackets)
}

// fill puts what stands between the brackets where their names are.
func (r *reader) fill(root ast.Node, brackets []bracket) (err error) {
	at := make(map[int]*bracket, len(brackets))
	for i := range brackets {
		at[brackets[i].open] = &brackets[i]
	}
	astutil.Apply(root, nil, func(c *astutil.Cursor) bool {
		x, ok := c.Node().(*ast.IndexExpr)
		if !ok {
			return true
		}
		if b := at[int(x.Lbrack)-r.base]; b != nil {
			n, failed := r.index(x, b)
			if failed != nil {
				if err == nil {
					err = failed
				}
				return true
			}
			c.Replace(n)
		}
		return true
	})
	return err
}

// index makes the call that stands for x with what is between its brackets.
func (r *reader) index(x *ast.IndexExpr, b *bracket) (ast.Expr, error) {
	c := call(indexName, x.X.Pos(), x.X)
	c.Lparen, c.Rparen = x.Lbrack, x.Rbrack
	for _, p := range b.parts {
		n, err := r.part(p)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, n)
	}
	return c, nil
}

func (r *reader) part(p part) (ast.Expr, error) {
	first := token.Pos(r.base + p.bounds[0][0])
	if p.dots {
		return ident(dotsName, first), nil
	}
	var bounds []ast.Expr
	for _, b := range p.bounds {
		text := r.text[b[0]:b[1]]
		if len(p.bounds) > 1 && isBlank(text) {
			bounds = append(bounds, ident(noneName, token.Pos(r.base+b[0])))
			continue
		}
		n, err := r.expr(b[0], b[1])
		if err != nil {
			return nil, err
		}
		bounds = append(bounds, n)
	}
	if len(bounds) == 1 {
		return bounds[0], nil
	}
	return call(sliceName, first, bounds...), nil
}

// isBlank reports whether there is nothing in text but blanks and comments.
func isBlank(text string) bool {
	var sc scanner.Scanner
	sc.Init(token.NewFileSet().AddFile("", -1, len(text)), []byte(text), func(token.Position, string) {}, 0)
	_, tok, _ := sc.Scan()
	return tok == token.EOF
}

// expr parses text[from:to], with the positions that it has in the file.
func (r *reader) expr(from, to int) (ast.Expr, error) {
	inner := scan(r.text, from, to)
	fset := token.NewFileSet()
	if base := r.base + from; base > 1 {
		fset.AddFile("", -1, base-2) // so that the next file begins where the text does
	}
	n, err := parser.ParseExprFrom(fset, r.name, blank(r.text[from:to], from, inner), 0)
	if err != nil {
		var list scanner.ErrorList
		if errors.As(err, &list) {
			for _, e := range list {
				e.Pos.Offset += from
			}
		}
		return nil, err
	}
	if id, ok := n.(*ast.IndexExpr); ok { // the root itself may be one
		holder := &ast.ParenExpr{X: id}
		err = r.fill(holder, inner)
		return holder.X, err
	}
	return n, r.fill(n, inner)
}

func ident(name string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: name, NamePos: pos} }

// call returns name(args) at pos.
func call(name string, pos token.Pos, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: ident(name, pos), Lparen: pos, Args: args, Rparen: pos}
}
