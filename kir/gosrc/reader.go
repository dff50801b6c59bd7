package gosrc

import (
	"errors"
	"fmt"
	"go/types"

	"github.com/arrayrepl/arrayrepl/kir"
)

// reader is a Go function func(x T) R of a struct, of which it reads numbers, and with a number as its result.
type reader struct {
	code   *kir.Func
	fields [][]int
}

// reads reports whether a function is one for [Func.Reader].
func reads(sig *types.Signature) bool {
	if sig.Params().Len() != 1 || sig.Results().Len() != 1 || sig.Variadic() || sig.TypeParams().Len() > 0 {
		return false
	}
	_, ok := sig.Params().At(0).Type().Underlying().(*types.Struct)
	if _, number := scalarOf(sig.Results().At(0).Type()); !ok || !number {
		return false
	}
	return true
}

// Reader compiles a function func(x T) R of a struct with a number as its result. code takes the address to which it
// stores the result, and then numbers of fields of T, of which fields has the paths; those that the function does not
// read have no use in it. What else than numbers T has, the function may not use; nor may it use variables that are
// declared outside of it, which may change. The error says what cannot be compiled.
func (f *Func) Reader() (code *kir.Func, fields [][]int, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.entry != nil {
		return nil, nil, fmt.Errorf("%s: functions of one struct with a number as result are compiled in cells, not by go generate", f.Name)
	}
	if f.reader == nil {
		if f.reader, err = newReader(f.source, f.fn, f.targs); err != nil {
			return nil, nil, err
		}
	}
	return f.reader.code, f.reader.fields, nil
}

// Callable returns the func itself.
func (f *Func) Callable() any { return f.Value }

func newReader(src *Source, fn *types.Func, targs []types.Type) (*reader, error) {
	if !reads(fn.Signature()) {
		return nil, errors.New("the function does not take one struct and return one number")
	}
	p, err := build(src, fn, targs, false)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	l := newLowerer(p, kir.NewBuilder(kernelName(fn.Name())), Options{})
	r := &reader{}
	err = guard(func() {
		out := l.b.Param("result", kir.U64)
		x := l.readerParts(r, p.fn.Params[0].Type(), p.fn.Params[0].Name(), nil)
		body := l.newBlock("")
		l.jump(body)
		l.setBlock(body)
		result := l.call(p.fn, []value{x}, nil, p.fn.Pos())
		if l.cur == nil {
			l.fail(p.fn.Pos(), "", "%s never returns", fn.Name())
		}
		l.b.Store(kir.Global, out, result.scalar())
		l.b.Return()
	})
	if err != nil {
		return nil, err
	}
	r.code, err = l.b.Func()
	return r, err
}

// readerParts makes the parameters of a struct's numbers, and returns it; what is not a number is zero.
func (l *lowerer) readerParts(r *reader, t types.Type, name string, path []int) (out value) {
	if s, ok := t.Underlying().(*types.Struct); ok {
		for i := range s.NumFields() {
			out = append(out, l.readerParts(r, s.Field(i).Type(), name+"."+s.Field(i).Name(), append(path[:len(path):len(path)], i))...)
		}
		return out
	}
	if k, ok := scalarOf(t); ok {
		r.fields = append(r.fields, path)
		return value{part{v: l.b.Param(name, k)}}
	}
	out = l.zero(t, l.p.fn.Pos())
	for _, i := range addresses(t) { // it is null: the code reads or writes there, and whoever looks at it sees that
		out[i].org = &origin{known: true, space: kir.Global}
	}
	return out
}
