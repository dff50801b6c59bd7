package lazy

import (
	"context"
	"fmt"
	"reflect"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	"github.com/arrayrepl/arrayrepl/offload"
)

// Object is a placeholder of a Go value that is not an array, made by an annotated function and taken by others: a
// model that is fitted, and then predicts. It is a node of the graph as arrays are; see [AnnotateObject].
type Object struct {
	a *Array // of the node that makes the value: one bool, true once it is there
}

// Holder is a Go value of the graph that has lazy arrays. They are computed, and brought to the host, before a function
// on the CPU gets the value: it may ask them for their elements with Array.
type Holder interface{ Arrays() []*Array }

// AnnotateObject is [Annotate] for functions that return a Go value of any type: a function on the CPU gets and returns
// the value itself, which must not be changed any more. One for devices may return a value that holds lazy arrays,
// which are then computed with what is made of them. Where an argument is mutable, the function returns its new value,
// and the call returns that argument: who was given it before sees the value that it had.
//
// A split type of such values says that they have no elements to cut. When the value will be made on the CPU, functions
// that take it run there too, if they can; otherwise it is computed first.
func AnnotateObject(a offload.Annotation) func(args ...any) *Object {
	f, err := newAnnotated(&a)
	if err == nil {
		err = f.returnsObject()
	}
	check(a.Name, err)
	deviceVariants.Store(true)
	return func(args ...any) *Object {
		c := f.take(args)
		c.n.makes(f.function().Type().Out(0))
		if c.changed != nil {
			c.changed.become(c.n)
			return c.changed
		}
		return &Object{c.n.whole()}
	}
}

// returnsObject reports an error if the functions' results are not those that AnnotateObject takes.
func (f *annotated) returnsObject() error {
	for name, v := range map[string]reflect.Value{"CPU": f.cpu, "GPU": f.gpu} {
		if v.IsValid() && v.Type().NumOut() != 1 {
			return f.wrong("the %s function returns %d results; it must return the Go value alone", name, v.Type().NumOut())
		}
	}
	if f.mutable >= 0 {
		return f.wrong("argument %d, an array, is mutable; a function that returns a Go value can change a Go value alone", f.mutable+1)
	}
	return f.sameObject(0)
}

// sameObject reports an error if result k, a Go value, is not of one type in both functions.
func (f *annotated) sameObject(k int) error {
	if f.cpu.IsValid() && f.gpu.IsValid() && f.cpu.Type().NumOut() > k && f.gpu.Type().NumOut() > k {
		if c, g := f.cpu.Type().Out(k), f.gpu.Type().Out(k); (k > 0 || f.changes >= 0) && c != g {
			return f.wrong("the CPU function returns a %v, the GPU function a %v; the Go value must be of one type", c, g)
		}
	}
	return nil
}

// makes lets n be a node of a Go value of type t.
func (n *node) makes(t reflect.Type) {
	n.dtype, n.layout = arrays.Bool, contiguous([]int{})
	n.host.makes, n.host.bind.Split = t, false
}

// become lets o stand for what n makes.
func (o *Object) become(n *node) { o.a.replace(func(*node) *node { return n }) }

// arrayAndObject is what a function returns that changes a Go value: one node makes both.
type arrayAndObject struct{ array, object any }

// arrayOfBoth and objectOfBoth take the two apart.
var arrayOfBoth, objectOfBoth = parts()

func parts() (first, second *annotated) {
	first, err := newAnnotated(&offload.Annotation{
		CPU: func(p *arrayAndObject) any { return p.array },
		GPU: func(p *arrayAndObject) *Array {
			a, _, err := operand(p.array) // the CPU may have made it, in an evaluation before
			check("annotate", err)
			return a
		},
	})
	check("annotate", err)
	f := func(p *arrayAndObject) any { return p.object }
	second, err = newAnnotated(&offload.Annotation{CPU: f, GPU: f})
	check("annotate", err)
	return first, second
}

// change returns the array that the call makes, and lets its changed argument stand for the other result.
func (c taken) change(spec arrays.Spec) *Array {
	h := c.n.host
	t := h.fn.function().Type().Out(1)
	c.n.makes(reflect.TypeFor[*arrayAndObject]())
	part := func(f *annotated) *node {
		ann := *f.ann
		ann.Name = h.ann.Name
		of := &hostOp{ann: &ann, fn: f, mutable: -1, slots: []slot{{object: true}}}
		n := newNode(kindHost, 0, nil, &rare{host: of}, all(c.n))
		n.part = true
		return n
	}
	array, object := part(arrayOfBoth), part(objectOfBoth)
	array.dtype, array.layout = spec.DType, contiguous(spec.Shape)
	object.makes(t)
	c.changed.become(object)
	return array.whole()
}

// fits reports an error if o cannot be argument i, of type t.
func (o *Object) fits(i int, t reflect.Type) error {
	if is := o.a.view().node.host.makes; is.Kind() != reflect.Interface && !is.AssignableTo(t) {
		return &Error{Msg: fmt.Sprintf("argument %d is a placeholder of a %v; the function takes a %v", i+1, is, t)}
	}
	return nil
}

// passed returns the Go value that n has made as argument k, of type t.
func (n *node) passed(k int, t reflect.Type) (reflect.Value, error) {
	v := reflect.ValueOf(n.host.object)
	switch {
	case !v.IsValid():
		return reflect.Zero(t), nil
	case !v.Type().AssignableTo(t):
		return v, &Error{Msg: fmt.Sprintf("argument %d is a %v; the function takes a %v", k+1, v.Type(), t)}
	}
	return v, nil
}

// takesMadeOnCPU reports whether a Go value that n takes will not be there before the CPU has made it.
func (n *node) takesMadeOnCPU(chosen []*node) bool {
	for _, s := range n.host.slots {
		if !s.object {
			continue
		}
		from := n.args[s.arg].node
		if from.done() || from.host.ann.Alloc && from.host.ann.GPU != nil && !from.host.decided {
			continue
		}
		atHand := false
		for _, m := range chosen {
			atHand = atHand || m == from
		}
		if !atHand {
			return true
		}
	}
	return false
}

// heldBy returns the arrays that are not on the host of Go values that calls on the CPU take.
func heldBy(order []*node) (held []*Array) {
	for _, n := range order {
		if n.kind == kindHost && n.host.fn != nil {
			held = append(held, n.held()...)
		}
	}
	return held
}

func (n *node) held() (out []*Array) {
	for _, s := range n.host.slots {
		if !s.object || !n.args[s.arg].node.done() {
			continue
		}
		h, ok := n.args[s.arg].node.host.object.(Holder)
		if !ok {
			continue
		}
		for _, a := range h.Arrays() {
			if a == nil {
				continue
			}
			if there([]*Array{a}) == nil {
				out = append(out, a)
			}
		}
	}
	return out
}

// readyObjects computes the Go values that n takes, and what they hold.
func (n *node) readyObjects() error {
	for _, s := range n.host.slots {
		if s.object {
			if _, err := eval([]*Array{n.args[s.arg].node.whole()}, false); err != nil {
				return err
			}
		}
	}
	if err := lock(runtime().CellContext()); err != nil {
		return err
	}
	held := n.held()
	unlock()
	_, err := eval(held, true)
	return err
}

// there returns the elements of arrays that the host has; nil if it lacks some. Only who is called by an evaluation may
// ask.
func there(xs []*Array) []*arrays.Array {
	out := make([]*arrays.Array, len(xs))
	for i, a := range xs {
		w := a.view()
		if a.gathered != nil && a.gathered.of == w.node {
			w = all(a.gathered.node)
		}
		switch {
		case w.node.leafless():
			out[i] = w.node.elements().View(*w.layout)
		case w.node.value == nil || !w.node.value.OnHost():
			return nil
		default:
			out[i] = w.node.elementsIn(w.node.value, w.node.value.Host()).View(*w.layout)
		}
	}
	return out
}

// Value computes what o stands for and returns it. Do not change it. It panics as [Eval] does.
func (o *Object) Value() any {
	Eval(o.a)
	if lock(context.Background()) != nil {
		return nil
	}
	defer unlock()
	return o.a.view().node.host.object
}

// MIMEBundle computes what o stands for, and shows it.
func (o *Object) MIMEBundle() display.Bundle {
	b, err := display.Of(o.Value())
	if err != nil {
		panic(err)
	}
	return b
}

// String computes what o stands for, and is its text.
func (o *Object) String() string { return fmt.Sprint(o.Value()) }
