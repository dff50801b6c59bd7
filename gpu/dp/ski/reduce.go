package ski

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Error is what was wrong with a call.
type Error = np.Error

// Option is what can be said of [Reduce]: [Pairs], [Prefer], [MostPasses].
type Option struct{ set func(o *options) }

type options struct {
	pairs, passes int
	first         Preference
}

// Preference is what is reduced first where pairs are short.
type Preference int

const (
	// K frees pairs, so that it goes first where nothing is said.
	K Preference = iota
	// S takes two pairs each, and may leave none for what would end the reduction.
	S
)

// Pairs is how many pairs there are, free ones too; 1,024 where nothing is said, more where the expression needs more.
func Pairs(n int) Option { return Option{func(o *options) { o.pairs = n }} }

// Prefer says which rule goes first in a pass.
func Prefer(p Preference) Option { return Option{func(o *options) { o.first = p }} }

// MostPasses is after how many passes a reduction is given up that may have no end; 1,000 where nothing is said.
func MostPasses(n int) Option { return Option{func(o *options) { o.passes = n }} }

// Result is what an expression has become.
type Result struct {
	Text      string
	Passes    int   // that have changed something
	Quiet     bool  // nothing was left to reduce
	Exhausted bool  // what was left needed pairs, and there were none
	Redexes   []int // how many applications of K, I and S were reduced in each pass
	Pairs     []int // how many pairs were in use after each
	Collected int   // pairs that were garbage, and were given back

	graphs []graph  // before the first pass, and after each
	names  []string // of the atoms
}

// String returns the expression, and how it ended where it did not come to rest.
func (r *Result) String() string {
	switch {
	case r.Exhausted:
		return r.Text + fmt.Sprintf("  (no pairs are left after %d passes: give more by ski.Pairs)", r.Passes)
	case !r.Quiet:
		return r.Text + fmt.Sprintf("  (not at rest after %d passes)", r.Passes)
	}
	return r.Text
}

// machine is the pairs: what each applies to what, atoms as numbers from 0, pair k as base+k.
type machine struct {
	n, base     int
	left, right *np.Array
	function    *np.Array // left, as it was when the pass began: so a pair is reduced by one rule in a pass
	pool        *dp.Pool
	root        int
}

// Reduce reduces an expression of S, K, I and names in small letters, such as "S K K x", applied from the left. In a
// pass each rule is applied to all pairs at once: K a b becomes I a, I a b becomes a b, S a b c becomes a c (b c), of
// which both halves are new pairs, and an argument I a becomes a. Pairs that nothing leads to any more are collected
// when none is free. It panics with *Error where the text is not an expression.
func Reduce(text string, opts ...Option) *Result {
	o := options{pairs: 1024, passes: 1000}
	for _, option := range opts {
		option.set(&o)
	}
	p := newParser(text)
	e, err := p.whole()
	if err != nil {
		panic(&Error{Op: "ski.Reduce", Msg: err.Error()})
	}
	m := load(p, e, max(o.pairs, p.pairs+1))
	r := &Result{names: p.names}
	r.keep(m)
	rules := []func() int{m.reduceK, m.reduceI, m.reduceS}
	if o.first == S {
		rules = []func() int{m.reduceS, m.reduceK, m.reduceI}
	}
	rules = append(rules, m.skip)
	for r.Passes < o.passes {
		redexes, short := 0, m.pool.Free() < 2
		if short {
			r.Collected += m.collect()
		}
		m.function = np.Where(m.used(), m.left, -1).Copy()
		np.Eval(m.function)
		for _, rule := range rules {
			redexes += rule()
		}
		if redexes == 0 {
			if m.wantsPairs() {
				if n := m.collect(); n > 0 {
					r.Collected += n
					continue
				}
				r.Exhausted = true
				break
			}
			r.Quiet = true
			break
		}
		r.Passes++
		r.Redexes, r.Pairs = append(r.Redexes, redexes), append(r.Pairs, m.n-m.pool.Free())
		r.keep(m)
	}
	r.Text = m.text(p.names)
	return r
}

// load makes pairs of an expression, and one of I and it at the root, so that all of it is an argument.
func load(p *parser, e *expression, n int) *machine {
	m := &machine{n: n, base: len(p.names)}
	left, right, used := make([]int64, n), make([]int64, n), make([]bool, n)
	free := 0
	var put func(e *expression) int64
	put = func(e *expression) int64 {
		if e.left == nil {
			return int64(e.atom)
		}
		l, r := put(e.left), put(e.right)
		k := free
		free++
		left[k], right[k], used[k] = l, r, true
		return int64(m.base + k)
	}
	top := put(e)
	m.root = free
	left[free], right[free], used[free] = atomI, top, true
	for k := range n {
		if !used[k] {
			left[k], right[k] = -1, -1
		}
	}
	m.left, m.right = np.FromSlice(left), np.FromSlice(right)
	m.pool = dp.PoolOf(np.LogicalNot(used))
	return m
}

// of is x of the pairs that values are; of atoms -1.
func (m *machine) of(x, values *np.Array) *np.Array {
	k := values.Sub(m.base)
	is := k.GreaterEqual(0)
	return np.Where(is, dp.Get(x, np.Where(is, k, 0)), -1)
}

// assign is what all pairs have become, all at once, and how many have changed.
func (m *machine) assign(redex, left, right *np.Array) int {
	l, r := np.Where(redex, left, m.left).Copy(), np.Where(redex, right, m.right).Copy()
	n := dp.Count(redex)
	np.Eval(l, r, n)
	m.left, m.right = l, r
	return n.Int()
}

func (m *machine) used() *np.Array { return np.LogicalNot(m.pool.IsFree()) }

func (m *machine) reduceK() int {
	redex := m.of(m.left, m.function).Equal(atomK)
	return m.assign(redex, np.Full(atomI, m.n), m.of(m.right, m.function))
}

func (m *machine) reduceI() int {
	redex := m.of(m.left, m.function).Equal(atomI)
	return m.assign(redex, m.of(m.right, m.function), m.right)
}

// isS are the pairs whose function is S with two arguments.
func (m *machine) isS() *np.Array {
	return m.of(m.left, m.of(m.left, m.function)).Equal(atomS)
}

func (m *machine) reduceS() int {
	redex := m.isS().Copy()
	np.Eval(redex)
	want := dp.Count(redex).Int()
	if want == 0 {
		return 0
	}
	most := m.pool.Free() / 2 // each takes two
	if most == 0 {
		return 0
	}
	redex = redex.LogicalAnd(dp.Enumerate(redex).Less(most)).Copy()
	p, q := m.pool.Cons(redex), m.pool.Cons(redex)
	a, b, c := m.of(m.right, m.of(m.left, m.function)), m.of(m.right, m.function), m.right
	one, two := dp.Pack(p, redex), dp.Pack(q, redex)
	al, bl, cl := dp.Pack(a, redex), dp.Pack(b, redex), dp.Pack(c, redex)
	np.Eval(one, two, al, bl, cl)
	left := np.Where(redex, p.Add(m.base), m.left)
	right := np.Where(redex, q.Add(m.base), m.right)
	l := dp.Send(bl, two, dp.Any, dp.Send(al, one, dp.Any, left))
	r := dp.Send(cl, two, dp.Any, dp.Send(cl, one, dp.Any, right))
	np.Eval(l, r)
	m.left, m.right = l, r
	return one.Size()
}

// skip has an argument I a be a.
func (m *machine) skip() int {
	redex := m.of(m.left, m.right).Equal(atomI).LogicalAnd(m.used())
	return m.assign(redex, m.left, m.of(m.right, m.right))
}

// wantsPairs reports whether a redex is left that needs pairs.
func (m *machine) wantsPairs() bool { return m.isS().AnyTrue().Item().(bool) }

// collect gives back the pairs that the root does not lead to, and has them be nothing.
func (m *machine) collect() int {
	to := func(x *np.Array) *np.Array {
		return np.Where(m.used().LogicalAnd(x.GreaterEqual(m.base)), x.Sub(m.base), -1).Copy()
	}
	return m.pool.Collect([]int{m.root}, to(m.left), to(m.right))
}

// mostText is how long the text of an expression may be: shared parts are written as often as they are used.
const mostText = 10000

// text writes what the root has.
func (m *machine) text(names []string) string {
	left, right := m.left.Ints(), m.right.Ints()
	var b strings.Builder
	var write func(v int, argument bool, deep int)
	write = func(v int, argument bool, deep int) {
		switch {
		case b.Len() > mostText || deep > mostDeep:
			b.WriteString("…")
		case v < m.base:
			b.WriteString(names[v])
		default:
			if argument {
				b.WriteByte('(')
			}
			write(left[v-m.base], false, deep+1)
			b.WriteByte(' ')
			write(right[v-m.base], true, deep+1)
			if argument {
				b.WriteByte(')')
			}
		}
	}
	if left[m.root] == atomI {
		write(right[m.root], false, 0)
	} else { // the root's own I has been applied
		write(m.base+m.root, false, 0)
	}
	return b.String()
}
