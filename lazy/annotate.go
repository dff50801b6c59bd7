package lazy

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/brief"
	"github.com/arrayrepl/arrayrepl/offload"
)

// Rows is the split type of arrays: pieces are rows, the elements along the first axis.
var Rows offload.SplitType = rows{}

type rows struct{}

func (rows) Name() string { return "rows" }

func (rows) Elements(v ArrayLike) (int, bool) {
	a, ok := v.(*arrays.Array)
	if !ok || a.NDim() == 0 {
		return 0, false
	}
	return a.Shape()[0], true
}

func (rows) Split(v ArrayLike, lo, hi int) (any, bool) {
	if n, ok := (rows{}).Elements(v); !ok || lo >= n {
		return nil, false
	}
	return v.(*arrays.Array).At(arrays.S(lo, hi)), true
}

func (rows) Merge(pieces []any) (any, error) { return arrays.Concat(0, pieces...), nil }

func (rows) TransferCost(int) (float64, bool) { return 0, false }

// Annotate returns a function that calls an annotated one as the functions of this package are called: with arrays, Go
// numbers and slices, for a placeholder. Other arguments are handed on as they are; an *Object as the Go value that it
// stands for.
//
// The CPU function's parameters and result may be *arrays.Array (of package arrays), slices of numbers and numbers:
// arrays are passed as they want them, by reference where they lie so in memory; an array for a number must have one
// element. The device function's are *np.Array, and numbers. At most one argument may be mutable: the function writes
// to its slice or array, assignments that Set would refuse are refused, and the call returns the array. Where it is an
// *Object, the function leaves it as it is and returns what it becomes after the array, as a second result; see
// [AnnotateObject].
//
// The result has the shape of the first argument with Ret's split type; a Combined one has one element; for others
// Annotation.Result is an arrays.Spec (the same for all arguments) or a func([]arrays.Spec) (arrays.Spec, error), or
// the function is called at once. Annotate panics with *Error when the annotation does not fit the functions, a call
// when the arguments do not.
func Annotate(a offload.Annotation) func(args ...any) *Array {
	f, err := newAnnotated(&a)
	if err == nil {
		err = f.returnsArray()
	}
	check(a.Name, err)
	if a.GPU != nil || f.changes >= 0 {
		deviceVariants.Store(true)
	}
	return f.call
}

// annotated is an annotation with its functions taken apart.
type annotated struct {
	ann      *offload.Annotation
	cpu, gpu reflect.Value
	mutable  int // the parameter that it writes to; -1
	changes  int // the parameter, a Go value, that it returns a new value of; -1
	result   func([]arrays.Spec) (arrays.Spec, error)
}

func newAnnotated(a *offload.Annotation) (*annotated, error) {
	f := &annotated{ann: a, cpu: reflect.ValueOf(a.CPU), gpu: reflect.ValueOf(a.GPU), mutable: -1, changes: -1}
	wrong := func(format string, args ...any) (*annotated, error) {
		return nil, f.wrong(format, args...)
	}
	if a.CPU == nil && a.GPU == nil {
		return wrong("it has no function; CPU or GPU must be one")
	}
	for name, v := range map[string]reflect.Value{"CPU": f.cpu, "GPU": f.gpu} {
		switch {
		case !v.IsValid():
		case v.Kind() != reflect.Func:
			return wrong("%s is a %v and no function", name, v.Type())
		case v.Type().IsVariadic():
			return wrong("the %s function takes any number of arguments; wrap it in one that takes as many as you pass", name)
		case v.Type().NumIn() < len(a.Args):
			return wrong("the %s function takes %d arguments, Args names %d", name, v.Type().NumIn(), len(a.Args))
		}
	}
	if f.cpu.IsValid() && f.gpu.IsValid() && f.cpu.Type().NumIn() != f.gpu.Type().NumIn() {
		return wrong("the CPU function takes %d arguments, the GPU function %d", f.cpu.Type().NumIn(), f.gpu.Type().NumIn())
	}
	for i, p := range a.Args {
		if p.Mutable {
			if was := max(f.mutable, f.changes); was >= 0 {
				return wrong("arguments %d and %d are mutable; one can be", was+1, i+1)
			}
			if isArray(f.function().Type().In(i)) {
				f.mutable = i
			} else {
				f.changes = i
			}
		}
	}
	switch r := a.Result.(type) {
	case nil:
	case arrays.Spec:
		f.result = func([]arrays.Spec) (arrays.Spec, error) { return r, nil }
	case func([]arrays.Spec) (arrays.Spec, error):
		f.result = r
	default:
		return wrong("Result is %s; it must be an arrays.Spec, or a func([]arrays.Spec) (arrays.Spec, error)", brief.Type(a.Result))
	}
	return f, nil
}

// returnsArray reports an error if the functions' results are not those that Annotate takes.
func (f *annotated) returnsArray() error {
	most, with := 1, ""
	if f.changes >= 0 {
		most, with = 2, fmt.Sprintf(", and then what becomes of argument %d", f.changes+1)
	}
	for name, v := range map[string]reflect.Value{"CPU": f.cpu, "GPU": f.gpu} {
		switch {
		case !v.IsValid():
		case v.Type().NumOut() > most || f.changes >= 0 && v.Type().NumOut() < most:
			return f.wrong("the %s function returns %d results; wrap it in one that returns one%s", name, v.Type().NumOut(), with)
		case name == "GPU" && (v.Type().NumOut() == 0 || v.Type().Out(0) != reflect.TypeFor[*Array]()):
			return f.wrong("the GPU function must return an *np.Array, of what the CPU function returns or writes%s", with)
		}
	}
	return f.sameObject(most - 1)
}

func (f *annotated) wrong(format string, args ...any) error {
	return &Error{Op: f.ann.Name, Msg: "annotation: " + fmt.Sprintf(format, args...)}
}

// function returns the variant whose parameters say what is an array.
func (f *annotated) function() reflect.Value {
	if f.cpu.IsValid() {
		return f.cpu
	}
	return f.gpu
}

// call adds a node for a call, or makes it at once when nothing is known of its result.
func (f *annotated) call(args ...any) *Array {
	c := f.take(args)
	if c.written != nil {
		return f.assign(c.written, c.n)
	}
	spec, known, err := f.spec(c.specs, c.n.host.bind)
	check(f.ann.Name, err)
	if c.changed != nil {
		if !known {
			check(f.ann.Name, f.wrong("Ret or Result must say what the array is like that the function returns beside its changed argument"))
		}
		return c.change(spec)
	}
	if !known {
		return f.now(c.n.host, c.n.args)
	}
	c.n.dtype, c.n.layout = spec.DType, contiguous(spec.Shape)
	return c.n.whole()
}

// taken is a call whose arguments have been looked at.
type taken struct {
	n       *node // without dtype and shape
	specs   []arrays.Spec
	written *Array  // the mutable argument, an array
	changed *Object // the mutable argument, a Go value
}

// take makes a node of the arguments.
func (f *annotated) take(args []any) taken {
	name, t := f.ann.Name, f.function().Type()
	if len(args) != t.NumIn() {
		check(name, &Error{Msg: fmt.Sprintf("the function takes %d arguments, not %d", t.NumIn(), len(args))})
	}
	h := &hostOp{ann: f.ann, fn: f, mutable: -1}
	var views []view
	var written *Array
	var changed *Object
	specs := make([]arrays.Spec, len(args))
	pieces := make([]offload.Piece, len(args))
	for i, arg := range args {
		if o, ok := arg.(*Object); ok && o != nil {
			check(name, o.fits(i, t.In(i)))
			if i == f.changes {
				changed = o
			}
			h.slots = append(h.slots, slot{arg: len(views), object: true})
			views = append(views, o.a.view())
			continue
		}
		if !takesArray(t.In(i), arg) {
			h.slots = append(h.slots, slot{constant: arg})
			continue
		}
		a, weak, err := operand(arg)
		check(name, err)
		specs[i] = arrays.Spec{DType: a.dtype, Shape: a.Shape(), Weak: weak}
		v := a.view()
		pieces[i] = offload.Piece{Elements: elements(v), Splittable: a.NDim() > 0}
		if from := v.node; from.kind == kindHost && from.host.bind.Split && v.isWhole() {
			pieces[i].Type = from.host.bind.Ret
		}
		if i == f.mutable {
			written = f.writes(arg, t.In(i))
			h.mutable = len(h.slots)
		}
		h.slots = append(h.slots, slot{arg: len(views), array: true})
		views = append(views, v)
	}
	if f.changes >= 0 && changed == nil {
		check(name, &Error{Msg: fmt.Sprintf("argument %d, which the function changes, is %s; give an *np.Object", f.changes+1, brief.Type(args[f.changes]))})
	}
	if f.mutable >= 0 && written == nil {
		check(name, &Error{Msg: fmt.Sprintf("argument %d, which the function writes to, is %s; give an *np.Array", f.mutable+1, brief.Type(args[f.mutable]))})
	}
	var err error
	h.bind, err = f.ann.Unify(pieces, Rows)
	if err != nil {
		e := &Error{Op: name, Err: err, Msg: err.Error()}
		for _, s := range specs {
			if s.Shape != nil {
				e.Shapes = append(e.Shapes, s.Shape)
			}
		}
		panic(e)
	}
	return taken{newNode(kindHost, 0, nil, &rare{host: h}, views...).writtenHere(), specs, written, changed}
}

// writes returns the array that an argument is whose elements the function writes as values of type t.
func (f *annotated) writes(arg any, t reflect.Type) *Array {
	a, ok := arg.(*Array)
	if !ok {
		return nil
	}
	check(f.ann.Name, writable(a))
	if t.Kind() == reflect.Slice {
		if d, ok := dtypeOf(t.Elem()); !ok || d != a.dtype {
			check(f.ann.Name, &Error{Msg: fmt.Sprintf("the function writes %v, the array has elements of %v: convert it with AsType", t, a.dtype)})
		}
	}
	return a
}

// assign lets what n makes of a view take its place in the array.
func (f *annotated) assign(a *Array, n *node) *Array {
	h := n.host
	k := h.slots[h.mutable].arg
	if view := n.args[k]; !view.isWhole() || a.inFile() != nil { // the function sees a copy, which is then assigned
		whole := a.Copy()
		n.args[k] = whole.view()
		f.assign(whole, n)
		a.Set(whole)
		return a
	}
	h.from = true
	a.replace(func(old *node) *node {
		// The value that the result begins as stands first.
		rest := append([]view{all(old)}, n.args[:k]...)
		for i := range h.slots {
			switch s := &h.slots[i]; {
			case !s.array && !s.object:
			case s.arg == k:
				s.arg = 0
			case s.arg < k:
				s.arg++
			}
		}
		n.dtype, n.layout = a.dtype, old.layout
		n.become(kindHost, append(rest, n.args[k+1:]...)...)
		return n
	})
	return a
}

// spec is what is known of the result.
func (f *annotated) spec(in []arrays.Spec, b offload.Binding) (spec arrays.Spec, known bool, err error) {
	if f.result != nil {
		spec, err = f.result(in)
		return spec, true, err
	}
	if f.ann.Ret == nil {
		return spec, false, nil
	}
	like := -1
	for i, p := range f.ann.Args {
		if like < 0 && p.Type != nil && p.Type.Name() == f.ann.Ret.Name() && in[i].Shape != nil {
			like = i
		}
	}
	if like >= 0 {
		spec = in[like]
	}
	if f.function().Type().NumOut() > 0 {
		if d, ok := resultType(f.function().Type().Out(0)); ok {
			spec.DType = d
		} else if like < 0 {
			return spec, false, nil
		}
	}
	switch {
	case offload.IsCombined(f.ann.Ret):
		return arrays.Spec{DType: spec.DType, Shape: []int{}}, true, nil
	case like >= 0:
		return spec, true, nil
	}
	return spec, false, nil
}

// now evaluates the arguments and calls the function.
func (f *annotated) now(h *hostOp, views []view) *Array {
	in := make([]*arrays.Array, len(views))
	for i, v := range views {
		in[i] = newArray(v.node, v.layout).Array()
	}
	if !f.cpu.IsValid() {
		return h.device(views).(*Array)
	}
	n := newNode(kindHost, 0, nil, &rare{host: h}, views...)
	check(f.ann.Name, n.readyObjects())
	out, err := n.apply(func(i int) *arrays.Array { return in[i] })
	check(f.ann.Name, err)
	a, _, err := arrays.AsArray(out)
	check(f.ann.Name, err)
	return FromArray(a)
}

// elements is how many rows v has.
func elements(v view) int {
	if len(v.layout.Shape) == 0 {
		return 0
	}
	return v.layout.Shape[0]
}

// isArray reports whether arrays are passed for a parameter of type t.
func isArray(t reflect.Type) bool {
	return t == reflect.TypeFor[*arrays.Array]() || t == reflect.TypeFor[*Array]() || t.Kind() == reflect.Slice && isNumber(t.Elem().Kind())
}

// takesArray reports whether arg is passed for a parameter of type t as an array, or as one of its forms.
func takesArray(t reflect.Type, arg any) bool {
	switch arg.(type) {
	case *Array, *arrays.Array:
		return true
	case nil:
		return false
	}
	if reflect.TypeOf(arg).AssignableTo(t) { // as it is: nothing need be looked at
		k := t.Kind()
		return k == reflect.Slice && isNumber(t.Elem().Kind())
	}
	_, _, err := arrays.AsArray(arg)
	return err == nil
}

func isNumber(k reflect.Kind) bool {
	return k == reflect.Bool || k >= reflect.Int && k <= reflect.Complex128 && k != reflect.Uintptr
}

// resultType is the dtype of a function's results, where their Go type tells.
func resultType(t reflect.Type) (arrays.DType, bool) {
	if t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	return dtypeOf(t)
}

// dtypeOf returns the dtype of Go's numbers of type t.
func dtypeOf(t reflect.Type) (arrays.DType, bool) {
	if !isNumber(t.Kind()) {
		return 0, false
	}
	a, _, err := arrays.AsArray(reflect.MakeSlice(reflect.SliceOf(t), 1, 1).Interface())
	if err != nil {
		return 0, false
	}
	return a.DType(), true
}

// passed makes of an array what a parameter of type t takes.
func passed(a *arrays.Array, t reflect.Type) (reflect.Value, error) {
	switch {
	case t == reflect.TypeFor[*arrays.Array](), t.Kind() == reflect.Interface && reflect.TypeFor[*arrays.Array]().Implements(t):
		return reflect.ValueOf(a), nil
	case t.Kind() == reflect.Slice:
		if d, ok := dtypeOf(t.Elem()); ok {
			if a.DType() != d {
				if arrays.Promote(a.DType(), d) != d {
					return reflect.Value{}, &Error{Msg: fmt.Sprintf("the function takes %v, the array has elements of %v: convert it with AsType", t, a.DType())}
				}
				a = a.AsType(d)
			}
			return reflect.SliceAt(t.Elem(), unsafe.Pointer(unsafe.SliceData(a.Bytes())), a.Size()).Convert(t), nil
		}
	case isNumber(t.Kind()):
		if a.Size() == 1 {
			v := reflect.ValueOf(a.Item())
			if !v.CanConvert(t) {
				return reflect.Value{}, &Error{Msg: fmt.Sprintf("the function takes one %v there; this is of dtype %v", t, a.DType())}
			}
			return v.Convert(t), nil
		}
		return reflect.Value{}, &Error{Shapes: [][]int{a.Shape()}, Msg: fmt.Sprintf("the function takes one %v there; this has shape %s", t, shapeString(a.Shape()))}
	}
	return reflect.Value{}, &Error{Msg: fmt.Sprintf("the function takes a %v, which no array can be passed as; wrap it in one that takes an *arrays.Array or a slice of numbers", t)}
}
