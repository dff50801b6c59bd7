package lazy

import (
	"errors"
	"go/token"
	"reflect"
	goruntime "runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// hostOp is a call of an annotated function that is computed on the CPU: one of package arrays, whose function is a
// func(out *arrays.Array, in []*arrays.Array), or one that Annotate was given.
type hostOp struct {
	ann     *offload.Annotation
	from    bool                  // out begins as a copy of the first argument, which is all of a node
	updates map[int]*arrays.Array // of numbers assigned one by one: element and value

	fn      *annotated // nil of functions of package arrays
	slots   []slot     // what fn's parameters get
	mutable int        // number of the slot that it writes to; -1
	bind    offload.Binding
	decided bool // where it runs; written by choose

	makes  reflect.Type // a Go value of that type, and no elements; nil
	object any          // the value, once it is made

	taken  *picker        // of Take of rows; nil
	masked bool           // it selects by a mask, its first argument, from its second
	before *tally         // how many elements a mask picks, by blocks of it; nil where that was not counted
	axis   []int          // that a function of package arrays goes along, where one was named
	whole  bool           // a function of package arrays writes every element of its result
	to     *arrays.Layout // the view of its result that a function of package arrays adds to
	places *arrays.Array  // at which rows of that
	sums   *addends       // and what goes where; nil before it is asked for
	// of a function of package arrays: how it is done of the elements of the first argument, sorted and not in memory
	sorted  func(out *arrays.Array, in []*arrays.Array, line arrays.SortedLine)
	reduced func(shape []int) []int // and which axes of it go

	onDevice onDevice      // how a device does it, of functions of package arrays; written by plan for each evaluation
	library  string        // whose calls that are
	across   *across       // the line in tiles that it sorts or merges; nil
	scan     *lineScan     // the scan that onDevice is, where its kernels can do more; nil
	planned  device.Device // for which
}

// slot is an argument: an array or the node of a Go value, by its number among the node's, or something else that is
// handed on.
type slot struct {
	array    bool
	object   bool
	arg      int
	constant any
}

// library annotates a function of package arrays, which sees its arguments whole and fills out, and panics with *Error.
func library(name string, run func(out *arrays.Array, in []*arrays.Array)) *offload.Annotation {
	return &offload.Annotation{Name: name, CPU: run, Whole: true}
}

// evaluated returns an operand for package arrays.
func evaluated(v any) any {
	if a, ok := v.(*Array); ok && a != nil {
		a.assigned()
		out, err := eval([]*Array{a}, true)
		if err != nil {
			panic(inWhole("", err))
		}
		return out[0]
	}
	return v
}

// inWhole returns err, of an array that op, or else the function of this package that a program has called, needs as a
// whole: where it is in a file and too large for that, the error has the name.
func inWhole(op string, err error) error {
	whole := new(offload.NotStreamed)
	if !errors.As(err, &whole) || whole.Task != "" {
		return err
	}
	whole.Why = "it takes arrays whole"
	if whole.Task = op; op == "" {
		whole.Task = called()
	}
	return err
}

// called is the name of the outermost function of this package that is running, as a program writes it.
func called() (name string) {
	var pcs [32]uintptr
	frames := goruntime.CallersFrames(pcs[:goruntime.Callers(2, pcs[:])])
	for more := true; more; {
		var f goruntime.Frame
		f, more = frames.Next()
		path, function, in := strings.Cut(f.Function[strings.LastIndexByte(f.Function, '/')+1:], ".")
		if in && path == "lazy" {
			function = function[strings.LastIndexByte(function, '.')+1:] // of a method
			if token.IsExported(function) {
				name = function
			}
		}
	}
	return name
}

// mapHere calls f for the elements of xs on the CPU, now: it needs no source of f, which a function that was handed on
// has not.
func mapHere(f any, xs ...any) *Array {
	eager := make([]any, len(xs))
	for i, x := range xs {
		eager[i] = evaluated(x)
	}
	return FromArray(arrays.Map(f, eager...))
}

// multiplies is what has products with arrays of its own: a sparse matrix.
type multiplies interface {
	TimesArray(right *Array) *Array
	ArrayTimes(left *Array) *Array
}

// byItself is the matrix product of two operands of which one makes it, or nil.
func byItself(args []any) *Array {
	for i, arg := range args {
		m, ok := arg.(multiplies)
		if !ok {
			continue
		}
		other, _, err := operand(args[1-i])
		check("matmul", err)
		if i == 0 {
			return m.TimesArray(other)
		}
		return m.ArrayTimes(other)
	}
	return nil
}

// call adds a node that computes r on the CPU, and returns its placeholder. It panics with *Error when r refuses the
// operands.
func call(r arrays.Routine, args ...any) *Array {
	if r.Name == "matmul" {
		if product := byItself(args); product != nil {
			return product
		}
	}
	views := make([]view, len(args))
	specs := make([]arrays.Spec, len(args))
	var joined []*Array
	for i, arg := range args {
		a, weak, err := operand(arg)
		check(r.Name, err)
		if r.Name == "concat" {
			joined = append(joined, a)
		}
		views[i], specs[i] = a.view(), arrays.Spec{DType: a.DType(), Shape: a.layout.Shape, Weak: weak}
	}
	out, err := r.Resolve(specs)
	check(r.Name, err)
	if joined != nil {
		if made := joinedInFile(out, r.Axis[0], joined); made != nil {
			return made
		}
	}
	h := &hostOp{ann: library(r.Name, r.Run), axis: r.Axis, sorted: r.Sorted, reduced: r.Reduced, whole: r.Whole}
	if run := inTiles(r); run != nil {
		h.ann.CPU = run
	}
	variant := routines[r.Name]
	if r.Right {
		variant = &searchRight
	}
	if variant != nil && (r.Plain || r.Right || variant.along) {
		h.ann.GPU = variant
		routinesCalled.Store(true)
		if r.Name == "sort" || r.Name == "argsort" {
			sortsCalled.Store(true)
		}
	}
	return newNode(kindHost, out.DType, contiguous(out.Shape), &rare{host: h}, views...).writtenHere().whole()
}

// indices returns idx with 0-d int arrays as ints, which evaluates them, and Go slices as arrays, those of ints as
// eager ones; and whether it picks by arrays.
func indices(idx []any) (out []any, picks bool) {
	out = make([]any, len(idx))
	for i, x := range idx {
		switch p := x.(type) {
		case *Array:
			if p != nil && p.NDim() == 0 && p.dtype.IsInt() {
				x = p.Int()
			} else {
				picks = true
			}
		case nil, int, Slice:
		default:
			k := reflect.TypeOf(x).Kind()
			if _, eager := x.(*arrays.Array); !eager && k != reflect.Slice && k != reflect.Array {
				break // a number, or what is not an index: the error says so
			}
			// a Go slice, an eager array
			if a, _, err := arrays.AsArray(x); err == nil && (a.NDim() > 0 || !a.DType().IsInt()) {
				if x, picks = FromArray(a), true; a.DType().IsInt() {
					x = a
				}
			}
		}
		out[i] = x
	}
	return out, picks
}

// picker is an index with arrays in it, of an array of a known shape.
type picker struct {
	idx   []any
	args  []view        // the index arrays of ints, in their order
	at    []int         // where they stand in idx
	shape []int         // of what is selected
	known *arrays.Array // the last of args, where it is evaluated
}

// newPicker decides the shape of what idx selects. It evaluates masks, and index arrays if asked to: what they have out
// of bounds is an error then.
func newPicker(op string, shape []int, idx []any, evaluate bool) picker {
	p := picker{idx: make([]any, len(idx))}
	stubs := make([]any, len(idx)) // of the same shapes: zeros that no memory holds
	for i, x := range idx {
		if given, ok := x.(*arrays.Array); ok { // what is out of bounds is told now, not when nobody remembers
			stubs[i] = given
			p.args, p.at, p.known = append(p.args, FromArray(given).view()), append(p.at, i), given
			continue
		}
		a, ok := x.(*Array)
		if ok && a.dtype.IsInt() {
			if evaluate {
				p.known = a.Array()
				stubs[i] = p.known
			} else {
				zero := arrays.Scalar(0)
				l, err := zero.Layout().BroadcastTo(a.layout.Shape)
				check(op, err)
				stubs[i] = zero.View(l)
			}
			p.args, p.at = append(p.args, a.view()), append(p.at, i)
			continue
		}
		if ok {
			x = a.Array()
		}
		p.idx[i], stubs[i] = x, x
	}
	var err error
	p.shape, err = arrays.Rules{}.IndexShape(shape, stubs...)
	check(op, err)
	return p
}

// index returns the index with the arrays as computed.
func (p picker) index(arrays []*arrays.Array) []any {
	for k, i := range p.at {
		p.idx[i] = arrays[k]
	}
	return p.idx
}

// take selects by arrays.
func (a *Array) take(idx []any) *Array {
	p := newPicker("index", a.layout.Shape, a.rowsByPlaces(idx), false)
	h := &hostOp{ann: library("take", func(out *arrays.Array, in []*arrays.Array) {
		out.Set(in[0].At(p.index(in[1:])...))
	}), whole: true}
	if p.takesRows() {
		h.taken = &p
	}
	if axis, ok := p.takesAlong(a); ok {
		h.axis, h.ann.GPU = []int{axis}, &taking
		routinesCalled.Store(true)
	}
	return newNode(kindHost, a.dtype, contiguous(p.shape), &rare{host: h}, append([]view{a.view()}, p.args...)...).writtenHere().whole()
}
