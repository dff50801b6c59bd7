package cpu

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/internal/vector"
	"github.com/arrayrepl/arrayrepl/kir"
)

// node is an operation of a tape that is being made: one instruction, or some that are done together.
type node struct {
	op     string // as of vector.TapeCode, without its type
	code   uintptr
	typ    kir.Type // of the first operand
	args   []int    // registers
	dst    int
	wanted bool
	once   bool
	gone   bool // another one does it, too
}

// tapeMaker makes a tape.
type tapeMaker struct {
	w       *worker
	t       *chainTape
	ch      *chain
	nodes   []*node
	of      map[int]*node // by register
	places  map[int]int   // by register
	free    []int         // places in the scratch memory that nobody needs any more
	scratch int           // bytes
}

// buildTape computes what is the same for all threads, or affine, and makes a tape of the others.
func (w *worker) buildTape(ch *chain, key [2]uint64) *chainTape {
	m := &tapeMaker{w: w, t: &chainTape{key: key}, ch: ch, of: map[int]*node{}, places: map[int]int{}}
	for i := range ch.instrs {
		in := &ch.instrs[i]
		if m.scalar(in) {
			w.compute(in)
			if r := &w.regs[in.dst]; r.affine {
				m.t.scalars = append(m.t.scalars, scalar{i, r.uniform()})
				continue
			}
		}
		n := &node{op: in.op.String(), code: ch.codes[i], typ: in.v.Args[0].Type, args: in.args[:in.nargs], dst: in.dst, wanted: ch.wanted[i], once: ch.once[i]}
		m.join(n)
		m.nodes = append(m.nodes, n)
		m.of[in.dst] = n
	}
	m.nodes = slices.DeleteFunc(m.nodes, func(n *node) bool { return n.gone })
	if len(m.nodes) > 0 {
		m.place()
	}
	return m.t
}

// scalar reports whether all operands of in are affine.
func (m *tapeMaker) scalar(in *instr) bool {
	for _, x := range in.args[:in.nargs] {
		if m.of[x] != nil || !m.w.regs[x].affine {
			return false
		}
	}
	return true
}

// simple returns the node that computes x by one of the given operations, where only its user wants it.
func (m *tapeMaker) simple(x int, t kir.Type, ops ...string) *node {
	if n := m.of[x]; n != nil && n.once && !n.wanted && n.typ == t && slices.Contains(ops, n.op) {
		return n
	}
	return nil
}

// join lets n do what the nodes of its operands do, where there is code for all.
func (m *tapeMaker) join(n *node) {
	if n.typ != kir.F32 && n.typ != kir.F64 || len(n.args) != 2 {
		return
	}
	x, y := n.args[0], n.args[1]
	use := func(op string, args []int, from ...*node) {
		code := vector.TapeCode(op + " " + n.typ.String())
		if code == 0 {
			return
		}
		n.op, n.code, n.args = op, code, args
		for _, f := range from {
			f.gone = true
		}
	}
	sum, product := func(x int) *node { return m.simple(x, n.typ, "mul+mul+add") }, func(x int) *node { return m.simple(x, n.typ, "mul") }
	one := func(x int) *node { return m.simple(x, n.typ, "mul", "add", "sub") }
	switch n.op {
	case "add":
		if p, q := sum(x), product(y); p != nil && q != nil {
			use("mul+mul+mul", slices.Concat(p.args, q.args), p, q)
		} else if p, q := sum(y), product(x); p != nil && q != nil {
			use("mul+mul+mul", slices.Concat(p.args, q.args), p, q)
		} else if p, q := product(x), product(y); p != nil && q != nil {
			use("mul+mul+add", slices.Concat(p.args, q.args), p, q)
		} else if p := one(x); p != nil {
			use(p.op+"+add", append(slices.Clone(p.args), y), p)
		} else if p := one(y); p != nil {
			use(p.op+"+add", append(slices.Clone(p.args), x), p)
		}
	case "sub":
		if p, q := product(x), product(y); p != nil && q != nil {
			use("mul+mul+sub", slices.Concat(p.args, q.args), p, q)
		} else if p := one(x); p != nil {
			use(p.op+"+sub", append(slices.Clone(p.args), y), p)
		} else if p := one(y); p != nil {
			use(p.op+"-sub", append(slices.Clone(p.args), x), p)
		}
	case "mul":
		if p := m.simple(x, n.typ, "add", "sub"); p != nil {
			use(p.op+"+mul", append(slices.Clone(p.args), y), p)
		} else if p := m.simple(y, n.typ, "add", "sub"); p != nil {
			use(p.op+"+mul", append(slices.Clone(p.args), x), p)
		}
	}
}

// place gives all operands and results places, and writes the tape.
func (m *tapeMaker) place() {
	t := m.t
	lastUse := map[int]int{}
	for i, n := range m.nodes {
		for _, x := range n.args {
			lastUse[x] = i
		}
	}
	for _, n := range m.nodes {
		for _, x := range n.args {
			if _, known := m.places[x]; !known && m.of[x] == nil {
				m.source(x)
			}
		}
	}
	t.tape.Ops = append(t.tape.Ops, vector.TapeOp{Code: vector.TapeCode("rounds")})
	for i, n := range m.nodes {
		m.result(n)
		op := vector.TapeOp{Code: n.code}
		op.At[0] = uint16(8 * m.places[n.dst])
		for k, x := range n.args {
			op.At[k+1] = uint16(8 * m.places[x])
		}
		t.tape.Ops = append(t.tape.Ops, op)
		done := map[int]bool{}
		for _, x := range n.args {
			if made := m.of[x]; made != nil && !made.wanted && lastUse[x] == i && !done[x] {
				m.free = append(m.free, m.places[x])
				done[x] = true
			}
		}
	}
	t.tape.Ops = append(t.tape.Ops, vector.TapeOp{Code: vector.TapeCode("next")})
	for len(t.tape.Places)%8 != 0 {
		m.newPlace(0)
	}
	if need := m.scratch/8 + 8; len(m.w.scratch) < need {
		m.w.scratch = make([]uint64, need)
	}
}

func (m *tapeMaker) newPlace(step int) int {
	m.t.tape.Places = append(m.t.tape.Places, 0)
	m.t.tape.Steps = append(m.t.tape.Steps, uintptr(step))
	return len(m.t.tape.Places) - 1
}

// temporary returns a place in the scratch memory.
func (m *tapeMaker) temporary() int {
	if k := len(m.free) - 1; k >= 0 {
		p := m.free[k]
		m.free = m.free[:k]
		return p
	}
	p := m.newPlace(0)
	m.t.scratch = append(m.t.scratch, placed{p, m.scratch})
	m.scratch += m.ch.bytes
	return p
}

// source places x, which comes from before the tape.
func (m *tapeMaker) source(x int) {
	r, t := &m.w.regs[x], m.t
	size := r.typ.Bytes()
	if !r.uniform() {
		m.places[x] = m.newPlace(size * vector.TapeLanes)
		t.lanes = append(t.lanes, placed{m.places[x], x})
		return
	}
	from := m.newPlace(0)
	t.uniform = append(t.uniform, placed{from, x})
	m.places[x] = m.temporary()
	name := map[int]string{1: "uniform 1", 4: "uniform 4", 8: "uniform 8"}[size]
	t.tape.Ops = append(t.tape.Ops, vector.TapeOp{Code: vector.TapeCode(name), At: [8]uint16{uint16(8 * m.places[x]), uint16(8 * from)}})
}

// result places what n computes.
func (m *tapeMaker) result(n *node) {
	if !n.wanted {
		m.places[n.dst] = m.temporary()
		return
	}
	m.places[n.dst] = m.newPlace(m.w.regs[n.dst].typ.Bytes() * vector.TapeLanes)
	m.t.results = append(m.t.results, placed{m.places[n.dst], n.dst})
}
