package langserver

import (
	"cmp"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// declaration is a place where a cell declares a name: uses from byte from on mean it.
type declaration struct{ at, from int }

// number collects the edits of each statement: a number for each declaration but the last of a name that has several,
// indices of arrays, and what makes package variables of variables.
func (w *writer) number() {
	declared := map[string][]declaration{}
	explicit := map[string]bool{}
	w.each(func(_ *cell, st *statement) {
		for _, i := range st.declared() {
			t := st.toks[i]
			d := declaration{t.pos, t.pos}
			if st.kind == defines || st.toks[0].tok == token.VAR {
				d.from = st.end
			}
			declared[t.lit] = append(declared[t.lit], d)
		}
		if st.kind == imports {
			for i, t := range st.toks {
				if p, err := strconv.Unquote(t.lit); t.tok == token.STRING && err == nil {
					explicit[path.Base(p)] = true
					explicit[st.toks[i-1].lit] = true
				}
			}
		}
	})
	delete(declared, "_")
	w.each(func(c *cell, st *statement) {
		inStruct := []bool{false}
		for i, t := range st.toks {
			var before, after lexeme
			if i > 0 {
				before = st.toks[i-1]
			}
			if i+1 < len(st.toks) {
				after = st.toks[i+1]
			}
			switch t.tok {
			case token.LBRACE, token.LPAREN, token.LBRACK:
				inStruct = append(inStruct, t.tok == token.LBRACE && before.tok == token.STRUCT)
			case token.RBRACE, token.RPAREN, token.RBRACK:
				inStruct = inStruct[:max(len(inStruct)-1, 1)]
			case token.IDENT:
				key := after.tok == token.COLON && (before.tok == token.LBRACE || before.tok == token.COMMA)
				if before.tok == token.PERIOD || key || inStruct[len(inStruct)-1] && before.line < t.line {
					continue
				}
				all := declared[t.lit]
				if p := w.names.Imports[t.lit]; p != "" && len(all) == 0 && after.tok == token.PERIOD && !explicit[t.lit] {
					w.want[t.lit] = p
				}
				if n := generation(all, t.pos); n < len(all) {
					st.edits = append(st.edits, edit{t.end, t.end, mark + strconv.Itoa(n)})
				}
			}
		}
		st.indices()
		w.variables(c, st, func(name string) bool { return len(declared[name]) > 1 }, explicit)
		for _, open := range slices.Backward(st.open) {
			end := st.toks[len(st.toks)-1].end
			st.edits = append(st.edits, edit{end, end, closers[open]})
		}
	})
}

var closers = map[token.Token]string{token.LPAREN: ")", token.LBRACK: "]", token.LBRACE: "}"}

func (w *writer) each(f func(*cell, *statement)) {
	for i := range w.cells {
		for j := range w.cells[i].statements {
			f(&w.cells[i], &w.cells[i].statements[j])
		}
	}
}

// generation is the number, from 1, of the declaration that a name at byte pos means: what is used before it is
// declared means the first.
func generation(all []declaration, pos int) int {
	n := 1
	for i, d := range all {
		if d.at == pos {
			return i + 1
		}
		if d.from <= pos {
			n = i + 1
		}
	}
	return n
}

// indices makes a call of each index that only arrays have, as x[1:, 2]: Go's parser would not read on.
func (st *statement) indices() {
	for i, t := range st.toks {
		if t.tok != token.LBRACK || i == 0 {
			continue
		}
		var colons []int
		commas, end := 0, -1
		for j := i + 1; j < len(st.toks) && end < 0; j++ {
			switch u := st.toks[j]; {
			case u.depth == t.depth+1 && u.tok == token.RBRACK:
				end = j
			case u.depth == t.depth+1 && u.tok == token.COLON:
				colons = append(colons, j)
			case u.depth == t.depth+1 && u.tok == token.COMMA:
				commas++
			}
		}
		if end < 0 || commas == 0 || len(colons) == 0 {
			continue
		}
		st.edits = append(st.edits, edit{t.pos, t.end, ".At("}, edit{st.toks[end].pos, st.toks[end].end, ")"})
		for _, j := range colons {
			text := "+"
			if before := st.toks[j-1].tok; before == token.LBRACK || before == token.COMMA || before == token.COLON {
				text = "0+"
			}
			if after := st.toks[j+1].tok; after == token.RBRACK || after == token.COMMA || after == token.COLON {
				text += "0"
			}
			st.edits = append(st.edits, edit{st.toks[j].pos, st.toks[j].end, text})
		}
	}
}

var qualifier = lazyregexp.New(`([\pL_][\pL_\d]*)(\.?)`)

// variables makes package variables of a statement's variables. One whose type the session knows gets it: the operators
// of arrays mean nothing to gopls.
func (w *writer) variables(c *cell, st *statement, several func(string) bool, explicit map[string]bool) {
	names := st.declared()
	if len(names) == 0 {
		return
	}
	next := st.toks[min(names[len(names)-1]+1, len(st.toks)-1)]
	typed := ""
	if t := c.types[st.toks[names[0]].lit]; len(names) == 1 && (st.kind == defines || st.toks[0].tok == token.VAR && next.tok == token.ASSIGN) {
		typed = t
		for _, m := range qualifier.FindAllStringSubmatch(t, -1) {
			p := w.names.Imports[m[1]]
			if m[2] == "" && several(m[1]) || m[2] != "" && (p == "" || explicit[m[1]]) {
				typed = ""
			}
		}
	}
	if typed != "" {
		for _, m := range qualifier.FindAllStringSubmatch(typed, -1) {
			if m[2] != "" {
				w.want[m[1]] = w.names.Imports[m[1]]
			}
		}
		typed += " "
	}
	if st.kind == defines {
		first := st.toks[0].pos
		st.edits = append(st.edits, edit{first, first, "var "}, edit{next.pos, next.end, typed + "="})
	} else if typed != "" {
		st.edits = append(st.edits, edit{next.pos, next.pos, typed})
	}
}

// write writes the file.
func (w *writer) write() {
	w.out.WriteString("package main\n\n")
	for _, name := range slices.Sorted(maps.Keys(w.want)) {
		w.out.WriteString("import " + name + " " + strconv.Quote(w.want[name]) + "\n")
	}
	w.each(func(_ *cell, st *statement) {
		if st.kind == imports {
			w.statement(st)
		}
	})
	w.each(func(_ *cell, st *statement) {
		switch st.kind {
		case imports:
		case runs:
			w.out.WriteString("func _() {")
			w.statement(st)
			w.out.WriteString("}\n")
		default:
			w.statement(st)
		}
	})
}

// statement writes a statement with its edits.
func (w *writer) statement(st *statement) {
	slices.SortStableFunc(st.edits, func(a, b edit) int { return cmp.Compare(a.from, b.from) })
	at := st.start
	own := func(to int) {
		if to > at {
			w.segments = append(w.segments, segment{w.out.Len(), at, to - at})
			w.out.WriteString(w.src[at:to])
		}
	}
	for _, e := range st.edits {
		if e.from < at {
			continue
		}
		own(e.from)
		w.out.WriteString(e.text)
		at = e.to
	}
	own(st.end)
	w.out.WriteString("\n")
}
