package brook

import (
	"fmt"
	"math"
	"reflect"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Reduce combines the elements of a stream by a Go function func(a, b T) T of two of them: all to one, or by a [Shape]
// among the options to a smaller stream, where each result takes a block of neighbours, as many along each axis as the
// shape says. The function must be associative, f(f(a, b), c) = f(a, f(b, c)), which [Associative] looks at; operands
// keep the order of rows, so it need not be commutative.
//
// Each pass is a kernel that merges up to 8 neighbours, see [Passes]; the result's [Stream.Plan] lists them. The order
// of combinations depends on the shapes alone: all devices give the same bits. A sum of products of a matrix and a
// vector that repeats in its rows or columns is np.MatMul of them on the CPU, in the order of its additions, unless
// [Passes] or [SinglePass] says how to reduce; the plan says so.
//
// For example:
//
//	func sum(a, r float32) float32 { return a + r }
//	y := brook.Reduce(sum, T, brook.Shape(50, 1)) // of 50x50: the sums of rows
//	y.Plan()                                      // 5, 5, 2
func Reduce(f any, s any, options ...Option) *Stream {
	return (*Settings)(nil).Reduce(f, s, options...)
}

// Plan returns the passes of the reduction that has made the stream, nil of other streams.
func (s *Stream) Plan() *Plan { return s.plan }

// reduction is a function that combines elements.
type reduction struct {
	op       string
	f        *gosrc.Func
	s        *gosrc.Streaming
	form     *form
	settings *Settings
}

func newReduction(op string, s *Settings, f any) *reduction {
	r := &reduction{op: op, settings: s}
	r.f, r.s = function(op, f)
	t := reflect.TypeOf(r.f.Value)
	if t.NumIn() != 2 || t.NumOut() != 1 || t.In(0) != t.In(1) || t.In(0) != t.Out(0) || r.s.Params[0].Gather {
		check(op, fmt.Errorf("a function that combines elements is a func(a, b T) T; %s is a %v", r.s.Name, t))
	}
	if len(r.s.Indexes) > 0 {
		check(op, fmt.Errorf("%s asks for places, which what has been combined does not have", r.s.Name))
	}
	r.form = formOf(op, t.In(0))
	return r
}

// stream is v with elements that the function combines.
func (r *reduction) stream(v any) *Stream {
	s, ok := streamOf(r.op, v)
	if !ok {
		check(r.op, fmt.Errorf("a %T is not a stream", v))
	}
	if s.of == r.form.of {
		return s
	}
	c := &call{op: r.op, f: r.f, s: r.s}
	return c.converted(&r.s.Params[0], s, r.form)
}

// Reduce is the function [Reduce] with the settings.
func (s *Settings) Reduce(f any, stream any, options ...Option) *Stream {
	const op = "brook.Reduce"
	s = s.plus(options)
	r := newReduction(op, s, f)
	in := r.stream(stream)
	shape := in.shape
	if len(shape) == 0 {
		in = in.Reshape(1)
		shape = []int{1}
	}
	to := make([]int, len(shape))
	for d := range to {
		to[d] = 1
	}
	whole := s.shape == nil
	if !whole {
		to = s.shape
	}
	ratio := r.ratio(shape, to)
	most := s.factor
	switch {
	case s.single:
		most = 0
	case most == 0:
		most = maxFactor
	}
	bytes := 0
	for _, d := range in.dtypes {
		bytes += d.Size()
	}
	p := plan(shape, ratio, most, bytes)
	p.Warning = r.warning()
	out := in
	if s.on == reference {
		out = r.folded(in, to, ratio)
	} else if product := r.product(in, to, ratio); product != nil {
		out, p.Note = withColumns(op, in.form, []*np.Array{product}), instead
	} else {
		for i := 0; i < len(p.Passes); i++ {
			pass, before, name := p.Passes[i], 1, fmt.Sprintf("%s pass %d/%d", r.s.Name, i+1, len(p.Passes))
			if i+1 < len(p.Passes) && r.joins(out, pass, p.Passes[i+1]) {
				name = fmt.Sprintf("%s passes %d-%d/%d", r.s.Name, i+1, i+2, len(p.Passes))
				before, i = pass.Factor, i+1
				pass.Factor, pass.To = p.Passes[i].Factor, p.Passes[i].To
			}
			out = r.pass(out, pass, before, name)
		}
	}
	if whole {
		out = out.Reshape(1)
	}
	return &Stream{form: out.form, columns: out.columns, shape: out.shape, plan: p}
}

// ratio is how many neighbours along each axis make a result.
func (r *reduction) ratio(shape, to []int) []int {
	fail := func(format string, args ...any) {
		check(r.op, fmt.Errorf("kernel %s: the stream has shape %v, its reduction %v: %s", r.s.Name, shape, to, fmt.Sprintf(format, args...)))
	}
	if len(to) != len(shape) {
		fail("give a size for each axis")
	}
	out := make([]int, len(shape))
	for d, n := range shape {
		switch m := to[d]; {
		case n == 0 && m > 0:
			fail("along axis %d there is no element that a result could be", d)
		case m == 0 && n > 0, m > 0 && n%m != 0:
			fail("along axis %d %d elements are not as many for each of %d results", d, n, m)
		case m == 0:
			out[d] = 1
		default:
			out[d] = n / m
		}
	}
	return out
}

// foldKey tells the kernels of passes apart.
type foldKey struct {
	factor int
	before int // factor of the pass before it that the kernel does, too; 1 for none
	ragged bool
	bypass bool
}

// unrolled is up to how many neighbours a pass has no loop for.
const unrolled = maxFactor

// fewAcross is how many elements behind the axis make passes worth joining. With fewer, threads beside each other load
// elements that are far apart, and those of one pass are loaded together.
const fewAcross = 16

// joins reports whether a kernel does two passes, one after the other: on the CPU, where what lies between would be
// written and read for nothing. The elements are combined as by two kernels.
func (r *reduction) joins(s *Stream, p, next Pass) bool {
	across := 1
	for _, n := range s.shape[p.Axis+1:] {
		across *= n
	}
	return s.made == nil && !r.settings.launches() && np.Device() == "host" && p.Axis == next.Axis &&
		!p.Ragged && !next.Ragged && p.Factor <= unrolled && across >= fewAcross
}

// pass merges neighbours along an axis, each of which is so many merged before.
func (r *reduction) pass(s *Stream, p Pass, before int, name string) *Stream {
	shape, to := s.shape, s.Shape()
	to[p.Axis] = shape[p.Axis] / p.From * p.To
	inner, size := 1, 1
	for d, n := range to {
		size *= n
		if d > p.Axis {
			inner *= n
		}
	}
	out := make([]*np.Array, len(s.columns))
	for k, d := range s.dtypes {
		out[k] = np.New(d, to...)
	}
	written := out
	if r.settings.copies {
		written = make([]*np.Array, len(out))
		for k, d := range s.dtypes {
			written[k] = np.New(d, to...)
		}
	}
	if size > 0 && !r.mapped(s, p, name, to, out) {
		if size > math.MaxInt32*blockSize {
			check(r.op, fmt.Errorf("kernel %s: %d elements are more than one launch has threads", r.s.Name, size))
		}
		key := foldKey{p.Factor, before, p.Ragged, r.settings.bypass}
		f := r.s.Keep(key, func() any { return r.kernel(key) }).(*kir.Func)
		call := kernelcall.Call[np.Array]{
			Name: name, Model: r.model(s, p), Func: f, Grid: kir.D1((size + blockSize - 1) / blockSize), Block: kir.D1(blockSize), On: r.settings.devices(),
			Args: []kernelcall.Arg[np.Array]{{Bits: uint64(size)}, {Bits: uint64(inner)}, {Bits: uint64(p.From)}, {Bits: uint64(p.To)}, {Bits: uint64(p.Factor)}},
		}
		for _, c := range s.columns {
			call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: c})
		}
		for _, c := range written {
			call.Args = append(call.Args, kernelcall.Arg[np.Array]{Array: c, Writes: true, Fresh: true})
		}
		call.Setup = []kernelcall.Setup{
			{Name: getKernel, Of: call.Name}, {Name: pushStream, Of: r.s.Params[0].Name, Bytes: bytesOf(s.columns)},
			{Name: pushReduce, Of: r.s.Params[1].Name, Bytes: bytesOf(out)}, {Name: mapKernel},
		}
		np.Wiring{}.Launch(call)
		if r.settings.copies {
			r.settings.copyOut(call.Name, written, out, r.s.Params[0].Parts)
		}
	}
	return withColumns(r.op, s.form, out)
}

// kernel merges: thread o·To·inner + g·inner + i takes the elements from g·factor on of group o, which has From, at i.
// Where From is To times the factor these are those from (o·To + g)·factor on of all. Each may be several neighbours
// that are merged first.
func (r *reduction) kernel(key foldKey) *kir.Func {
	b := kir.NewBuilder(identifier(r.s.Name))
	n, inner, from, to, factor := b.Param("n", kir.I64), b.Param("inner", kir.I64), b.Param("from", kir.I64), b.Param("to", kir.I64), b.Param("factor", kir.I64)
	parts := r.s.Params[0].Parts
	var in, out []*kir.Value
	for _, name := range r.form.names {
		in = append(in, b.Param(partName("in", name), kir.U64))
	}
	for _, name := range r.form.names {
		out = append(out, b.Param(partName("out", name), kir.U64))
	}
	op := func(o kir.Op, x, y *kir.Value) *kir.Value { return b.Op(o, x, y) }
	num := func(x int) *kir.Value { return b.Int(kir.I64, int64(x)) }
	body, end := b.NewBlock("body"), b.NewBlock("end")
	id := b.GlobalIDX()
	b.Branch(op(kir.OpLt, id, n), body, end)
	b.SetBlock(body)
	line := op(kir.OpDiv, id, inner)
	at := op(kir.OpSub, id, op(kir.OpMul, line, inner))
	begin, most := op(kir.OpMul, line, factor), factor // along the axis, of all groups
	if key.ragged {
		group := op(kir.OpDiv, line, to)
		g := op(kir.OpMul, op(kir.OpSub, line, op(kir.OpMul, group, to)), factor)
		begin, most = op(kir.OpAdd, op(kir.OpMul, group, from), g), op(kir.OpMin, factor, op(kir.OpSub, from, g))
	}
	step := inner
	if key.before > 1 {
		begin, step = op(kir.OpMul, begin, num(key.before)), op(kir.OpMul, inner, num(key.before))
	}
	first := op(kir.OpAdd, op(kir.OpMul, begin, inner), at)
	load := func(i *kir.Value) []*kir.Value {
		x := make([]*kir.Value, len(parts))
		for k, t := range parts {
			x[k] = r.settings.element(b, in[k], i, t)
		}
		return x
	}
	combine := func(x, y []*kir.Value) []*kir.Value {
		v, err := r.s.Emit(b, append(append([]*kir.Value{}, x...), y...), gosrc.StreamHooks{})
		check(r.op, err) // it has been compiled before
		return v
	}
	element := func(place *kir.Value) []*kir.Value {
		acc := load(place)
		for range key.before - 1 {
			place = op(kir.OpAdd, place, inner)
			acc = combine(acc, load(place))
		}
		return acc
	}
	acc := element(first)
	if !key.ragged && key.factor <= unrolled && key.before == 1 {
		next := first
		for range key.factor - 1 {
			next = op(kir.OpAdd, next, inner)
			acc = combine(acc, load(next))
		}
	} else {
		head, loop, done := b.NewBlock("loop", append([]kir.Type{kir.I64, kir.I64}, parts...)...), b.NewBlock("next"), b.NewBlock("done")
		b.Jump(head, append([]*kir.Value{num(1), op(kir.OpAdd, first, step)}, acc...)...)
		b.SetBlock(head)
		i, place := head.Params[0], head.Params[1]
		acc = head.Params[2:]
		b.Branch(op(kir.OpLt, i, most), loop, done)
		b.SetBlock(loop)
		next := combine(acc, element(place))
		b.Jump(head, append([]*kir.Value{op(kir.OpAdd, i, num(1)), op(kir.OpAdd, place, step)}, next...)...)
		b.SetBlock(done)
	}
	for k, t := range parts {
		b.Store(kir.Global, b.Index(out[k], id, t), acc[k])
	}
	b.Jump(end)
	b.SetBlock(end)
	b.Return()
	f, err := b.Func()
	check(r.op, err)
	f.Bounds.MaxThreads = blockSize
	return f
}

// folded is the reduction by the function itself, block by block in the order of rows.
func (r *reduction) folded(s *Stream, to, ratio []int) *Stream {
	shape := s.Shape()
	list, f := reflect.ValueOf(Write(s)), reflect.ValueOf(r.f.Value)
	size, each := 1, 1
	for d := range to {
		size, each = size*to[d], each*ratio[d]
	}
	out := reflect.MakeSlice(reflect.SliceOf(s.of), size, size)
	place := func(i, k int) (at int) { // of element k of result i
		step, ii, kk := 1, i, k
		for d := len(to) - 1; d >= 0; d-- {
			at += step * (ii%to[d]*ratio[d] + kk%ratio[d])
			ii, kk, step = ii/to[d], kk/ratio[d], step*shape[d]
		}
		return at
	}
	for i := range size {
		acc := list.Index(place(i, 0))
		for k := 1; k < each; k++ {
			acc = f.Call([]reflect.Value{acc, list.Index(place(i, k))})[0]
		}
		out.Index(i).Set(acc)
	}
	made, _ := streamOf(r.op, out.Interface())
	return made.Reshape(to...)
}

// maxSamples is how many elements Associative tries, all triples of them.
const maxSamples = 8

// Associative looks whether a function of two elements is associative, on the first eight elements of samples: the
// error has three elements for which f(f(a, b), c) and f(a, f(b, c)) differ, nil says that there are none among them.
// Floats may differ by what rounding explains, a part in 10,000. The function itself is called, not its kernel.
// [Reduce] looks at a few small numbers itself, and its result says so where they differ.
func Associative(f any, samples any) error {
	const op = "brook.Associative"
	r := newReduction(op, new(Settings), f)
	if text := r.counterexample(reflect.ValueOf(Write(r.stream(samples)))); text != "" {
		return &Error{Op: op, Msg: text}
	}
	return nil
}

// counterexample has three elements of the list for which the function is not associative; it is empty where there are
// none among the first.
func (r *reduction) counterexample(list reflect.Value) string {
	fn := reflect.ValueOf(r.f.Value)
	call := func(x, y reflect.Value) reflect.Value { return fn.Call([]reflect.Value{x, y})[0] }
	n := min(list.Len(), maxSamples)
	for i := range n * n * n {
		a, b, c := list.Index(i/(n*n)), list.Index(i/n%n), list.Index(i%n)
		left, right := call(call(a, b), c), call(a, call(b, c))
		if !near(left, right) {
			return fmt.Sprintf("%s is not associative: %s(%s(%v, %v), %v) is %v, %s(%v, %s(%v, %v)) is %v; a reduction needs a function for which they are the same",
				r.s.Name, r.s.Name, r.s.Name, a, b, c, left, r.s.Name, a, r.s.Name, b, c, right)
		}
	}
	return ""
}

// warning is a counterexample of small numbers, looked for once for a function.
func (r *reduction) warning() string {
	type key struct{}
	return r.s.Keep(key{}, func() any {
		const samples = 3
		list := reflect.MakeSlice(reflect.SliceOf(r.form.of), samples, samples)
		for i := range samples {
			fill(list.Index(i), i+1)
		}
		var text string
		func() {
			defer func() { _ = recover() }() // it may divide by what these numbers make 0
			text = r.counterexample(list)
		}()
		return text
	}).(string)
}

// fill gives all numbers in v small values, other ones for each k.
func fill(v reflect.Value, k int) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i), k+i)
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), k+i)
		}
	case reflect.Bool:
		v.SetBool(k%2 == 1)
	default:
		v.Set(reflect.ValueOf(k).Convert(v.Type()))
	}
}

// near reports whether two values differ by rounding at most.
func near(x, y reflect.Value) bool {
	switch x.Kind() {
	case reflect.Struct:
		for i := range x.NumField() {
			if !near(x.Field(i), y.Field(i)) {
				return false
			}
		}
		return true
	case reflect.Array:
		for i := range x.Len() {
			if !near(x.Index(i), y.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Float32, reflect.Float64:
		a, b := x.Float(), y.Float()
		return a == b || a != a && b != b || math.Abs(a-b) <= 1e-4*max(math.Abs(a), math.Abs(b))
	}
	return x.Equal(y)
}
