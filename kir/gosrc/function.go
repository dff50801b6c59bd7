package gosrc

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"strings"
	"sync"
)

// Func is a Go function with its source: what a package gets in the place of a func value, which has none when a program
// runs. Its methods may be called from several goroutines; what it compiles, it keeps.
type Func struct {
	Name  string
	Value any // the func itself

	source   *Source
	fn       *types.Func
	targs    []types.Type
	mu       sync.Mutex
	compiled map[Options]*Kernel
	inline   *Inline
}

// NewFunc returns fn, or its instance for targs, with what it is at run time.
func NewFunc(src *Source, fn *types.Func, targs []types.Type, value any) *Func {
	return &Func{Name: fn.Name(), Value: value, source: src, fn: fn, targs: targs, compiled: map[Options]*Kernel{}}
}

// FuncOf returns the function that v is: a *Func, or what has one by a method Func. A func has no source: the error says what
// to give instead.
func FuncOf(v any) (*Func, error) {
	switch f := v.(type) {
	case *Func:
		if f != nil {
			return f, nil
		}
	case interface{ Func() *Func }:
		if g := f.Func(); g != nil {
			return g, nil
		}
		return nil, errors.New("the kernel is not in Go")
	}
	r := reflect.ValueOf(v)
	if r.Kind() != reflect.Func || r.IsNil() {
		return nil, fmt.Errorf("the kernel is %s, not a function", describe(v))
	}
	name := runtime.FuncForPC(r.Pointer()).Name()
	if name == "reflect.makeFuncStub" { // of the interpreter
		return nil, errors.New("the kernel is a func value, whose source is not known any more: name the function in the call, or keep gpu.Kernel of it in the variable")
	}
	short := name[strings.LastIndex(name, "/")+1:]
	return nil, fmt.Errorf("the source of %s is not known: give a function that a cell has declared", short)
}

// Kernel compiles the function, once for each set of options.
func (f *Func) Kernel(opts Options) (*Kernel, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k := f.compiled[opts]; k != nil {
		return k, nil
	}
	k, err := Compile(f.source, f.fn, f.targs, opts)
	if err != nil {
		return nil, err
	}
	f.compiled[opts] = k
	return k, nil
}

// Inline compiles the function to be put into kernels.
func (f *Func) Inline() (*Inline, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.inline != nil {
		return f.inline, nil
	}
	in, err := NewInline(f.source, f.fn, f.targs, Options{})
	f.inline = in
	return in, err
}
