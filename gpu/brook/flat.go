package brook

import (
	"fmt"
	"math"
	"reflect"

	"github.com/arrayrepl/arrayrepl/gpu/dp"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// Flat calls a function func(x T, …, emit func(U)) with the elements of streams as [Map] does, and returns the stream
// of what it emits, any number of elements for each call, in the order of the calls: filters, and what makes more of
// less. The kernel runs twice: it counts, a scan says where each call's elements begin, and it writes. How many there
// are is looked at now.
//
// For example:
//
//	func keep(x float32, emit func(float32)) { if x > 0 { emit(x) } }
//	brook.Flat(keep, X)
func Flat(f any, args ...any) *Stream { return (*Settings)(nil).Flat(f, args...) }

// Flat is the function [Flat] with the settings.
func (s *Settings) Flat(f any, args ...any) *Stream {
	const op = "brook.Flat"
	c := newCall(op, s, f, args)
	if len(c.results) > 0 {
		c.fail("it does not emit: the last parameter of a function for brook.Flat is an emit func(T)")
	}
	emit := len(c.s.Params) - 1
	form := formOf(op, reflect.TypeOf(c.f.Value).In(emit).In(0))
	c.domain = domain(op, c.settings, c.args)
	if c.settings.on == reference {
		return c.emitted(form)
	}
	size := c.elements()
	if size == 0 {
		return Zeros(form.of, 0)
	}
	given := c.launchArgs(size)
	if c.settings.on == automatic {
		c.fail("what it emits depends on its elements, of which the cost model knows nothing: name a device")
	}
	launch := func(name string, f *kir.Func, more ...kernelcall.Arg[np.Array]) {
		name = c.s.Name + " " + name
		np.Wiring{}.Launch(kernelcall.Call[np.Array]{
			Name: name, Setup: c.setup(name, kernelcall.Setup{Name: pushOutput, Of: "what it emits"}), Func: f, Grid: kir.D1((size + blockSize - 1) / blockSize), Block: kir.D1(blockSize), On: c.settings.devices(),
			Args: append(append([]kernelcall.Arg[np.Array]{{Bits: uint64(size)}}, given...), more...),
		})
	}
	kernels := c.s.Keep(c.passKey([]int{-1}), func() any { return [2]*kir.Func{c.emitter(form, false), c.emitter(form, true)} }).([2]*kir.Func)
	counts := np.New(np.Int64, size)
	launch("counts", kernels[0], kernelcall.Arg[np.Array]{Array: counts, Writes: true})
	at := dp.ScanEx(dp.Sum, counts)
	total := at.At(size-1).Int() + counts.At(size-1).Int()
	c.bounded(total)
	out := make([]*np.Array, len(form.names))
	more := []kernelcall.Arg[np.Array]{{Array: at}}
	for k, d := range form.dtypes {
		out[k] = np.New(d, total)
		more = append(more, kernelcall.Arg[np.Array]{Array: out[k], Writes: true, Fresh: true})
	}
	if total > 0 {
		launch("emits", kernels[1], more...)
	}
	return withColumns(op, form, out)
}

// mostEmitted is how many elements a call may emit: as many as places of 32 bits tell apart.
var mostEmitted = math.MaxInt32

// bounded fails where a call emits more elements than it may, before any is written.
func (c *call) bounded(total int) {
	if total > mostEmitted {
		c.fail("from streams of shape %v it emits %d elements; one call may emit %d: call it for a Region of the streams at a time", c.domain, total, mostEmitted)
	}
}

// emitter is the kernel that counts what each call emits, or writes it.
func (c *call) emitter(form *form, writes bool) *kir.Func {
	var at *kir.Value // where the call's elements begin
	var counter *kir.Value
	var to []*kir.Value
	parts := c.s.Params[len(c.s.Params)-1].Parts
	return c.build(func(b *kir.Builder) {
		at = b.Param("at", kir.U64)
		if writes {
			for k := range parts {
				to = append(to, b.Param(partName("out", form.names[k]), kir.U64))
			}
		}
		counter = b.LocalArray("count", kir.I64, 1)
	}, func(b *kir.Builder, i *kir.Value, args []*kir.Value, index func(param int) [4]*kir.Value) {
		b.Store(kir.Local, counter, b.Int(kir.I64, 0))
		place := b.Index(at, i, kir.I64)
		first := b.Int(kir.I64, 0)
		if writes {
			first = c.settings.element(b, at, i, kir.I64)
		}
		_, err := c.s.Emit(b, args, gosrc.StreamHooks{Index: index, Emitted: func(x []*kir.Value) {
			n := b.Load(kir.Local, kir.I64, counter)
			b.Store(kir.Local, counter, b.Op(kir.OpAdd, n, b.Int(kir.I64, 1)))
			for k, p := range to {
				b.Store(kir.Global, b.Index(p, b.Op(kir.OpAdd, first, n), parts[k]), x[k])
			}
		}})
		check(c.op, err) // it has been compiled before
		if !writes {
			b.Store(kir.Global, place, b.Load(kir.Local, kir.I64, counter))
		}
	})
}

// emitted is what the function itself emits.
func (c *call) emitted(form *form) *Stream {
	size := c.elements()
	f := reflect.ValueOf(c.f.Value)
	list := reflect.MakeSlice(reflect.SliceOf(form.of), 0, size)
	emit := reflect.MakeFunc(f.Type().In(f.Type().NumIn()-1), func(in []reflect.Value) []reflect.Value {
		list = reflect.Append(list, in[0])
		return nil
	})
	at := c.goArgs()
	in := make([]reflect.Value, len(c.args)+1)
	in[len(c.args)] = emit
	on := c.on()
	for i := range size {
		if !on(i) {
			continue
		}
		for k := range c.args {
			in[k] = at[k](i)
		}
		c.element(i, func() { f.Call(in) })
	}
	c.bounded(list.Len())
	out, ok := streamOf(c.op, list.Interface())
	if !ok {
		check(c.op, fmt.Errorf("a stream has no elements of type %v", form.of))
	}
	return out
}
