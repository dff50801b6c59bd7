package lazy

import (
	"context"
	"fmt"
	"reflect"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
	"github.com/arrayrepl/arrayrepl/offload"
)

// pieceElements is how many numbers a piece of an annotated call's arguments has, about: the paper's figure for CPUs.
// Pieces go through all calls of a pipeline while they are in the cache.
const pieceElements = 16384

// apply calls the function of an annotated call on arrays, which array returns by their numbers.
func (n *node) apply(array func(i int) *arrays.Array) (out any, err error) {
	h := n.host
	t := h.fn.cpu.Type()
	args := make([]reflect.Value, len(h.slots))
	for k, s := range h.slots {
		switch {
		case s.array:
			if args[k], err = passed(array(s.arg), t.In(k)); err != nil {
				return nil, fmt.Errorf("argument %d: %w", k+1, err)
			}
		case s.object:
			if args[k], err = n.args[s.arg].node.passed(k, t.In(k)); err != nil {
				return nil, err
			}
		case s.constant == nil:
			args[k] = reflect.Zero(t.In(k))
		case !reflect.TypeOf(s.constant).AssignableTo(t.In(k)):
			return nil, &Error{Op: h.ann.Name, Msg: fmt.Sprintf("argument %d is %s; the function takes a %v", k+1, brief.Type(s.constant), t.In(k))}
		default:
			args[k] = reflect.ValueOf(s.constant)
		}
	}
	defer func() {
		if p := recover(); p != nil { // its call may be long ago, in another cell
			if fault := mmap.Reason(p); fault != nil {
				panic(n.withPlace(&Error{Op: h.ann.Name, Err: fault}))
			}
			panic(n.withPlace(&Error{Op: h.ann.Name, Err: &functionPanic{p}}))
		}
	}()
	return result(h.fn.cpu.Call(args)), nil
}

// functionPanic is the panic of an annotated function.
type functionPanic struct{ value any }

func (e *functionPanic) Error() string { return fmt.Sprint("the function panicked: ", e.value) }

// Panicked returns what the function panicked with.
func (e *functionPanic) Panicked() any { return e.value }

func (e *functionPanic) Unwrap() error {
	err, _ := e.value.(error)
	return err
}

// result is what an annotated function returned: one value, an array and a changed argument, or nothing.
func result(res []reflect.Value) any {
	switch len(res) {
	case 0:
		return nil
	case 1:
		return res[0].Interface()
	}
	return &arrayAndObject{res[0].Interface(), res[1].Interface()}
}

// device calls h's function for devices on placeholders.
func (h *hostOp) device(views []view) any {
	t := h.fn.gpu.Type()
	args := make([]reflect.Value, len(h.slots))
	for k, s := range h.slots {
		want := t.In(k)
		switch {
		case s.array && isNumber(want.Kind()):
			v, err := passed(newArray(views[s.arg].node, views[s.arg].layout).Array(), want)
			check(h.ann.Name, err)
			args[k] = v
		case s.array && !reflect.TypeFor[*Array]().AssignableTo(want):
			check(h.ann.Name, &Error{Msg: fmt.Sprintf("annotation: argument %d of the GPU function is a %v; it gets an *np.Array", k+1, want)})
		case s.array:
			args[k] = reflect.ValueOf(newArray(views[s.arg].node, views[s.arg].layout))
		case s.object:
			n := views[s.arg].node
			Eval(n.whole())
			v, err := n.passed(k, want)
			check(h.ann.Name, err)
			args[k] = v
		case s.constant == nil:
			args[k] = reflect.Zero(want)
		default:
			args[k] = reflect.ValueOf(s.constant)
		}
	}
	return result(h.fn.gpu.Call(args))
}

// runPieces computes g, whose nodes are annotated calls, into out: whole, or each piece through all calls, on all
// cores.
func (g *group) runPieces(ctx context.Context, out *arrays.Array, vals [][]*arrays.Array) error {
	root := g.root.host
	rows, size := 1, 1
	if root.bind.Split {
		rows, size = root.bind.Elements, g.pieceRows(vals)
	}
	parts := make([]any, (rows+size-1)/size)
	work := func(p int) error {
		part, err := g.piece(out, vals, p*size, min((p+1)*size, rows))
		parts[p] = part
		return err
	}
	if err := inParallel(ctx, len(parts), work); err != nil {
		return err
	}
	if root.makes != nil {
		root.object = parts[0]
		out.Set(true)
		return nil
	}
	if root.mutable >= 0 || !offload.IsCombined(root.bind.Ret) && root.bind.Split { // the pieces are in their places
		return nil
	}
	all, err := parts[0], error(nil)
	if len(parts) > 1 {
		if all, err = root.bind.Ret.Merge(parts); err != nil {
			return fmt.Errorf("merging %d pieces: %w", len(parts), err)
		}
	}
	return g.store(out, all)
}

// pieceRows is how many rows a piece has.
func (g *group) pieceRows(vals [][]*arrays.Array) int {
	widest := 1
	for k, as := range vals {
		h := g.nodes[k].host
		for i, s := range h.slots {
			if s.array && as[s.arg] != nil && h.bind.Args[i] != offload.Broadcast {
				widest = max(widest, as[s.arg].Size()/max(h.bind.Elements, 1))
			}
		}
	}
	return max(pieceElements/widest, 1)
}

// piece takes rows lo to hi through all calls of g, and puts those of the result in their place.
func (g *group) piece(out *arrays.Array, vals [][]*arrays.Array, lo, hi int) (any, error) {
	made := make(map[*node]*arrays.Array)
	for at, m := range slices.Backward(g.nodes) {
		h := m.host
		split := func(i int) *arrays.Array {
			k := slices.IndexFunc(h.slots, func(s slot) bool { return s.array && s.arg == i })
			a := vals[at][i]
			switch {
			case made[m.args[i].node] != nil:
				return made[m.args[i].node]
			case i == 0 && h.from:
				a = out
			}
			if !h.bind.Split || h.bind.Args[k] == offload.Broadcast {
				return a
			}
			piece, _ := h.bind.Args[k].Split(a, lo, hi)
			return piece.(*arrays.Array)
		}
		res, err := m.apply(split)
		if err != nil {
			return nil, err
		}
		if m != g.root {
			a, _, err := arrays.AsArray(res)
			if err == nil && (a.NDim() == 0 || a.Shape()[0] != hi-lo) {
				err = &Error{Op: h.ann.Name, Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("the function made shape %s of %d rows; its annotation promises as many rows", shapeString(a.Shape()), hi-lo)}
			}
			if err != nil {
				return nil, err
			}
			made[m] = a
			continue
		}
		if h.mutable < 0 && h.bind.Split && !offload.IsCombined(h.bind.Ret) {
			return nil, g.store(out.At(arrays.S(lo, hi)), res)
		}
		return res, nil
	}
	return nil, nil
}

// store puts what a function returned where the result has it.
func (g *group) store(out *arrays.Array, res any) error {
	a, _, err := arrays.AsArray(res)
	if err != nil {
		return err
	}
	if a.Size() != out.Size() || a.NDim() > 1 && !slices.Equal(a.Shape(), out.Shape()) {
		return &Error{Shapes: [][]int{a.Shape(), out.Shape()}, Msg: fmt.Sprintf("the function returned shape %s; its annotation promises %s", shapeString(a.Shape()), shapeString(out.Shape()))}
	}
	if arrays.Promote(a.DType(), out.DType()) != out.DType() {
		return &Error{Msg: fmt.Sprintf("the function returned %v, its annotation promises %v", a.DType(), out.DType())}
	}
	out.Set(a.Reshape(out.Shape()...))
	return nil
}

// inParallel calls work for 0 to n-1 on all cores, until one fails or ctx ends. One that panics is called again by the
// caller, so that the panic is the cell's own, with its line.
func inParallel(ctx context.Context, n int, work func(i int) error) error {
	workers := min(goruntime.GOMAXPROCS(0), n)
	if workers < 2 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := work(i); err != nil {
				return err
			}
		}
		return nil
	}
	var next, failed atomic.Int64
	failed.Store(int64(n))
	errs := make([]error, n)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			debug.SetPanicOnFault(true) // the goroutine ends here
			i := n
			defer func() {
				if recover() != nil {
					keepLeast(&failed, i)
				}
			}()
			for ctx.Err() == nil && failed.Load() == int64(n) {
				if i = int(next.Add(1)) - 1; i >= n {
					return
				}
				if errs[i] = work(i); errs[i] != nil {
					keepLeast(&failed, i)
				}
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	if i := int(failed.Load()); i < n {
		if errs[i] != nil {
			return errs[i]
		}
		return work(i)
	}
	return nil
}

// keepLeast makes least i, if i is less.
func keepLeast(least *atomic.Int64, i int) {
	for {
		was := least.Load()
		if int64(i) >= was || least.CompareAndSwap(was, int64(i)) {
			return
		}
	}
}
