package brook

import (
	"fmt"
	"iter"
	"sync"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// A reduction of what a map makes, while nobody has asked for that, computes it in its first pass: the elements between
// are neither written nor read. The order in which they are combined is that of the plan.

// made says how a stream's elements come about: by a call of a function with one result, from what its inputs hold.
type made struct {
	call   *call
	states []any // of the result's columns, and of the inputs'
}

// remember notes how the columns of the only result are made.
func (c *call) remember(columns []*np.Array) *made {
	if len(c.results) != 1 || len(c.s.Indexes) > 0 {
		return nil
	}
	m := &made{call: c, states: make([]any, 0, len(columns)+len(c.args))}
	for a := range m.arrays(columns) {
		of, dense, _ := np.Wiring{}.Elements(a)
		if !dense {
			return nil
		}
		m.states = append(m.states, of)
	}
	return m
}

// arrays are the columns of the result, and those of the streams that the call reads.
func (m *made) arrays(columns []*np.Array) iter.Seq[*np.Array] {
	return func(yield func(*np.Array) bool) {
		for _, a := range columns {
			if !yield(a) {
				return
			}
		}
		for _, a := range m.call.args {
			if a.stream == nil {
				continue
			}
			for _, a := range a.stream.columns {
				if !yield(a) {
					return
				}
			}
		}
	}
}

// holds reports whether the columns are still what the call makes of its inputs, and still to be computed.
func (m *made) holds(columns []*np.Array) bool {
	for _, a := range columns {
		if _, _, pending := (np.Wiring{}).Elements(a); !pending {
			return false
		}
	}
	return m.same(columns)
}

// steps is how far apart the elements of an input are along the axes before the one that is reduced, along it, and
// behind it; each group of axes counts as one.
type steps struct{ outer, axis, inner int }

// stepsOf are the steps of an input of a shape over a domain; it is not ok where it repeats by parts, is read in
// strides, or where a group of axes is not one for it.
func stepsOf(shape, domain []int, axis int) (s steps, ok bool) {
	if len(shape) > len(domain) {
		return s, false
	}
	shape = padded(shape, len(domain))
	group := func(from, to int) (step int) { // of the axes from to to
		own, among := 1, 1
		for d := len(domain) - 1; d >= 0; d-- {
			at := own
			own *= shape[d]
			if d < from || d >= to || domain[d] == 1 {
				continue
			}
			if shape[d] == 1 {
				at = 0
			}
			if among == 1 {
				step = at
			}
			ok = ok && at == step*among
			among *= domain[d]
		}
		return step
	}
	ok = true
	for d := range domain {
		ok = ok && (shape[d] == domain[d] || shape[d] == 1)
	}
	return steps{group(0, axis), group(axis, axis+1), group(axis+1, len(domain))}, ok
}

// mostWide is how many threads along the reduced axis and behind it may be in a block.
const mostWide = blockSize

// widest is the largest divisor of n that a block may have; blocks of lines are full where they have such sizes.
func widest(n int) int {
	for k := min(n, mostWide); ; k-- {
		if n%k == 0 {
			return k
		}
	}
}

// mappedKey tells the kernels of passes that compute what they reduce apart.
type mappedKey struct {
	fold      foldKey
	of        *gosrc.Streaming
	constants string
	flat      bool // nothing lies behind the axis
}

// mostFused is how many kernels a function that combines elements has for functions that make them.
const mostFused = 64

// fused are those: functions of maps come and go, in cells that are run again, and what is kept of them is bounded.
type fused struct {
	sync.Mutex
	of map[mappedKey]*kir.Func
}

func fusedOf(s *gosrc.Streaming) *fused {
	type key struct{}
	return s.Keep(key{}, func() any { return &fused{of: map[mappedKey]*kir.Func{}} }).(*fused)
}

// get returns the kernel of a key, which is made where there is none; where there are many, all are forgotten first.
func (k *fused) get(key mappedKey, make func() *kir.Func) *kir.Func {
	k.Lock()
	defer k.Unlock()
	f := k.of[key]
	if f == nil {
		if f = make(); len(k.of) >= mostFused {
			clear(k.of)
		}
		k.of[key] = f
	}
	return f
}

// mapped is [reduction.pass] of a stream that a map makes, to arrays of the results; false where it is not that, or the
// pass is better done of elements in memory.
func (r *reduction) mapped(s *Stream, p Pass, name string, to []int, out []*np.Array) bool {
	m := s.made
	if m == nil || p.Ragged || r.settings.launches() || !m.holds(s.columns) {
		return false
	}
	rows, inner := 1, 1
	for d, n := range to {
		switch {
		case d < p.Axis:
			rows *= n
		case d > p.Axis:
			inner *= n
		}
	}
	width := to[p.Axis] * inner
	wide := widest(width)
	if wide < min(width, kir.WarpSize) || width/wide > 65535 {
		return false
	}
	high := max(1, blockSize/wide)
	c := m.call
	var in []kernelcall.Arg[np.Array]
	for _, a := range c.args {
		if a.stream == nil {
			for k, v := range a.parts {
				number, isArray := v.(*np.Array)
				if isArray {
					v = number.Item()
				}
				bits, err := gosrc.ScalarBits(a.value.Parts[k], v)
				check(r.op, err)
				in = append(in, kernelcall.Arg[np.Array]{Bits: bits})
			}
			continue
		}
		st, ok := stepsOf(a.stream.shape, c.domain, p.Axis)
		if !ok {
			return false
		}
		for _, column := range a.stream.columns {
			in = append(in, kernelcall.Arg[np.Array]{Array: column})
		}
		for _, n := range []int{st.outer, st.axis, st.inner} {
			in = append(in, kernelcall.Arg[np.Array]{Bits: uint64(n)})
		}
	}
	key := mappedKey{foldKey{factor: p.Factor, before: 1}, c.s, c.passKey(nil).constants, inner == 1}
	call := kernelcall.Call[np.Array]{
		Name: name, Func: fusedOf(r.s).get(key, func() *kir.Func { return r.mappedKernel(key, c) }),
		Grid: kir.Dim3{X: (rows + high - 1) / high, Y: width / wide, Z: 1}, Block: kir.Dim3{X: wide, Y: high, Z: 1},
		Args: append([]kernelcall.Arg[np.Array]{{Bits: uint64(rows)}, {Bits: uint64(width)}, {Bits: uint64(inner)}, {Bits: uint64(p.Factor)}}, in...),
	}
	for _, a := range out {
		call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: a, Writes: true, Fresh: true})
	}
	call.Setup = c.setup(name, kernelcall.Setup{Name: pushReduce, Of: r.s.Params[1].Name, Bytes: bytesOf(out)})
	np.Wiring{}.Launch(call)
	return true
}

// mappedKernel merges what c makes: blocks lie over rows first, threads of a block over places in a row and then rows.
// Thread (row, g·inner + i) takes the elements from g·factor on along the axis, at i behind it.
func (r *reduction) mappedKernel(key mappedKey, c *call) *kir.Func {
	b := kir.NewBuilder(identifier(r.s.Name + "_" + c.s.Name))
	rows, width, inner, factor := b.Param("rows", kir.I64), b.Param("width", kir.I64), b.Param("inner", kir.I64), b.Param("factor", kir.I64)
	op := func(o kir.Op, x, y *kir.Value) *kir.Value { return b.Op(o, x, y) }
	wide := func(s kir.Special) *kir.Value { return b.Convert(kir.I64, b.Special(s)) }
	type input struct {
		columns []*kir.Value
		types   []kir.Type // of what is loaded; nil of constants
		steps   [3]*kir.Value
	}
	var in []input
	for _, a := range c.args {
		one := input{}
		for k, t := range a.value.Parts {
			name := partName(a.value.Name, a.form.names[k])
			if a.stream == nil {
				one.columns = append(one.columns, b.Param(name, t))
				continue
			}
			one.columns, one.types = append(one.columns, b.Param(name, kir.U64)), append(one.types, t)
		}
		if a.stream != nil {
			for k, of := range []string{"outer", "axis", "inner"} {
				one.steps[k] = b.Param(fmt.Sprintf("%s(%s)", of, a.value.Name), kir.I64)
			}
		}
		in = append(in, one)
	}
	var out []*kir.Value
	for _, name := range r.form.names {
		out = append(out, b.Param(partName("out", name), kir.U64))
	}
	row := op(kir.OpAdd, op(kir.OpMul, wide(kir.CtaidX), wide(kir.NTidY)), wide(kir.TidY))
	x := op(kir.OpAdd, op(kir.OpMul, wide(kir.CtaidY), wide(kir.NTidX)), wide(kir.TidX))
	body, end := b.NewBlock("body"), b.NewBlock("end")
	b.Branch(op(kir.OpLt, row, rows), body, end)
	b.SetBlock(body)
	g, at := x, (*kir.Value)(nil)
	if !key.flat {
		g = op(kir.OpDiv, x, inner)
		at = op(kir.OpSub, x, op(kir.OpMul, g, inner))
	}
	first := op(kir.OpMul, g, factor)
	element := func(k *kir.Value) []*kir.Value { // number k along the axis
		var args []*kir.Value
		for _, one := range in {
			if one.types == nil {
				args = append(args, one.columns...)
				continue
			}
			place := op(kir.OpAdd, op(kir.OpMul, row, one.steps[0]), op(kir.OpMul, k, one.steps[1]))
			if at != nil {
				place = op(kir.OpAdd, place, op(kir.OpMul, at, one.steps[2]))
			}
			for j, t := range one.types {
				args = append(args, c.settings.element(b, one.columns[j], place, t))
			}
		}
		v, err := c.s.Emit(b, args, gosrc.StreamHooks{})
		check(r.op, err) // it has been compiled before
		return v
	}
	acc := r.merged(b, key.fold.factor, first, op(kir.OpAdd, first, factor), element)
	place := op(kir.OpAdd, op(kir.OpMul, row, width), x)
	for k, t := range r.s.Params[0].Parts {
		b.Store(kir.Global, b.Index(out[k], place, t), acc[k])
	}
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check(r.op, err)
	f.Bounds.MaxThreads = blockSize
	return f
}

// merged combines element(first) to element(end-1), as many as factor says: without a loop where those are few.
func (r *reduction) merged(b *kir.Builder, factor int, first, end *kir.Value, element func(k *kir.Value) []*kir.Value) []*kir.Value {
	combine := func(x, y []*kir.Value) []*kir.Value {
		v, err := r.s.Emit(b, append(append([]*kir.Value{}, x...), y...), gosrc.StreamHooks{})
		check(r.op, err) // it has been compiled before
		return v
	}
	one := b.Int(kir.I64, 1)
	acc := element(first)
	next := b.Op(kir.OpAdd, first, one)
	if factor <= unrolled {
		for range factor - 1 {
			acc = combine(acc, element(next))
			next = b.Op(kir.OpAdd, next, one)
		}
		return acc
	}
	head, loop, done := b.NewBlock("loop", append([]kir.Type{kir.I64}, r.s.Params[0].Parts...)...), b.NewBlock("next"), b.NewBlock("done")
	b.Jump(head, append([]*kir.Value{next}, acc...)...)
	b.SetBlock(head)
	k := head.Params[0]
	acc = head.Params[1:]
	b.Branch(b.Op(kir.OpLt, k, end), loop, done)
	b.SetBlock(loop)
	more := combine(acc, element(k))
	b.Jump(head, append([]*kir.Value{b.Op(kir.OpAdd, k, one)}, more...)...)
	b.SetBlock(done)
	return acc
}
