package gorandom

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// Shrink makes a program smaller as long as something holds for it. holds gets programs that the type checker takes and
// says for which of them it does; it is asked for many at a time, since what it does takes longer than what is done
// here.
func Shrink(p *Program, imports types.Importer, holds func([]*Program) []bool) *Program {
	s := &shrinker{imports: imports, holds: holds}
	for {
		smaller := s.round(p)
		if smaller == nil {
			return p
		}
		p = smaller
	}
}

// shrinkBatch is how many programs are tried at a time.
const shrinkBatch = 40

type shrinker struct {
	imports types.Importer
	holds   func([]*Program) []bool
}

// edit replaces a part of an item's text.
type edit struct {
	item, from, to int
	text           string
}

// round tries all changes and returns a smaller program for which the property holds, or nil.
func (s *shrinker) round(p *Program) *Program {
	var batch []*Program
	var edits [][]edit
	best := p
	flush := func() bool {
		if len(batch) == 0 {
			return false
		}
		var good [][]edit
		for i, ok := range s.holds(batch) {
			if ok {
				if better(batch[i], best) {
					best = batch[i]
				}
				good = append(good, edits[i])
			}
		}
		batch, edits = nil, nil
		if best == p {
			return false
		}
		// Changes that do not overlap may be made together: all, or the first half of them, and so on.
		var together []*Program
		for n := len(good); n > 1; n /= 2 {
			var all []edit
			for _, list := range good[:n] {
				if !slices.ContainsFunc(list, func(e edit) bool { return overlaps(all, e) }) {
					all = append(all, list...)
				}
			}
			if q := p.with(all); s.check(q) != nil {
				together = append(together, q)
			}
		}
		if len(together) > 0 {
			for i, ok := range s.holds(together) {
				if ok && better(together[i], best) {
					best = together[i]
				}
			}
		}
		return true
	}
	seen := map[string]bool{}
	for _, list := range s.changes(p) {
		q := p.with(list)
		if key := q.key(); seen[key] || !better(q, p) {
			continue
		} else {
			seen[key] = true
		}
		if s.check(q) == nil {
			continue
		}
		if batch, edits = append(batch, q), append(edits, list); len(batch) == shrinkBatch && flush() {
			return best
		}
	}
	if flush() {
		return best
	}
	return nil
}

func (p *Program) key() string { return strings.Join(p.Cells(), "\x00") }

// better says that a is smaller than b.
func better(a, b *Program) bool {
	x, y := a.size(), b.size()
	return x < y
}

// size counts what is not white space, and cells.
func (p *Program) size() (n int) {
	for i, it := range p.Items {
		for _, w := range strings.Fields(it.Text) {
			n += len(w)
		}
		if it.First && i > 0 {
			n++
		}
	}
	return n
}

func overlaps(all []edit, e edit) bool {
	return slices.ContainsFunc(all, func(o edit) bool { return o.item == e.item && e.from <= o.to && o.from <= e.to })
}

// with returns the program with parts replaced. Items that become empty go. An edit from -1 lets the item's cell end.
func (p *Program) with(edits []edit) *Program {
	q := &Program{Seed: p.Seed, Items: slices.Clone(p.Items)}
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		it := &q.Items[e.item]
		if e.from < 0 {
			it.First = false
			continue
		}
		it.Text = it.Text[:e.from] + e.text + it.Text[e.to:]
	}
	first := false
	var items []Item
	for _, it := range q.Items {
		first = first || it.First
		if strings.TrimSpace(it.Text) == "" {
			continue
		}
		it.First, first = first, false
		items = append(items, it)
	}
	q.Items = items
	return q
}

// checked is a program that the type checker takes.
type checked struct {
	file  *ast.File
	info  *types.Info
	pkg   *types.Package
	text  string
	begin []int // of items, in the text
}

func (s *shrinker) check(p *Program) *checked {
	c := &checked{}
	c.text, c.begin = p.layout("main", "main")
	fset := token.NewFileSet()
	var err error
	if c.file, err = parser.ParseFile(fset, "p.go", c.text, parser.SkipObjectResolution); err != nil {
		return nil
	}
	c.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	conf := types.Config{Importer: s.imports}
	if c.pkg, err = conf.Check("main", fset, []*ast.File{c.file}, c.info); err != nil {
		return nil
	}
	return c
}
