package gosrc

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Combiner is a Go function func(a, b T) T of values of several numbers, structs or arrays of them, that can be put
// into kernels.
type Combiner struct {
	Name    string
	Parts   []kir.Type // the numbers of a value, in the order of memory
	Offsets []int      // where each lies, in bytes
	emit    func(b *kir.Builder, args []*kir.Value) ([]*kir.Value, error)
}

// Combiner compiles a function func(a, b T) T of structs or arrays of numbers to be put into kernels; nil of another.
func (f *Func) Combiner() (*Combiner, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.combiner == nil {
		var c *Combiner
		var err error
		if f.entry != nil {
			c, err = f.entry.combiner(f.Name, reflect.TypeOf(f.Value))
		} else {
			c, err = newCombiner(f.source, f.fn, f.targs)
		}
		if err != nil {
			return nil, err
		}
		f.combiner = c
	}
	return f.combiner, nil
}

// combines reports whether a function combines two structs or arrays to one.
func combines(sig *types.Signature) bool {
	if sig.Params().Len() != 2 || sig.Results().Len() != 1 || sig.Variadic() {
		return false
	}
	t := sig.Params().At(0).Type()
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return types.Identical(sig.Params().At(1).Type(), t) && types.Identical(sig.Results().At(0).Type(), t)
	}
	return false
}

func newCombiner(src *Source, fn *types.Func, targs []types.Type) (*Combiner, error) {
	p, err := build(src, fn, targs, false)
	if err != nil || !combines(p.fn.Signature) {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	t := p.fn.Params[0].Type()
	c := &Combiner{Name: fn.Name()}
	ls, err := leaves(t)
	if err == nil {
		for _, l := range ls {
			if l.ref != nil {
				err = fmt.Errorf("a %s in values of type %s", typeName(l.ref), typeName(t))
			}
			c.Parts, c.Offsets = append(c.Parts, l.kind), append(c.Offsets, int(l.off))
		}
	}
	if err == nil && len(ls) == 0 {
		err = fmt.Errorf("values of type %s, which has no numbers", typeName(t))
	}
	if err != nil {
		return nil, Errors{src.errorf(p.fn.Params[0].Pos(), "values that are combined are structs and arrays of numbers and bools", "%s takes %v", fn.Name(), err)}
	}
	c.emit = func(b *kir.Builder, args []*kir.Value) (result []*kir.Value, err error) {
		l := newLowerer(p, b, Options{})
		err = guard(func() {
			n := len(c.Parts)
			out := l.call(p.fn, []value{plain(args[:n]...), plain(args[n:]...)}, nil, p.fn.Pos())
			if l.cur == nil {
				l.fail(p.fn.Pos(), "", "%s never returns", c.Name)
			}
			for _, part := range out {
				result = append(result, part.v)
			}
		})
		return result, err
	}
	b := kir.NewBuilder(kernelName(fn.Name())) // a trial
	var args []*kir.Value
	for i := range 2 * len(c.Parts) {
		args = append(args, b.Param(fmt.Sprintf("x%d", i), c.Parts[i%len(c.Parts)]))
	}
	if _, err := c.emit(b, args); err != nil {
		return nil, err
	}
	return c, nil
}

// Emit puts the function's code into the block that is current in b, for the numbers of two values, as [Inline.Emit].
func (c *Combiner) Emit(b *kir.Builder, x, y []*kir.Value) ([]*kir.Value, error) {
	saved := b.Pos
	defer func() { b.Pos = saved }()
	return c.emit(b, append(append([]*kir.Value{}, x...), y...))
}
