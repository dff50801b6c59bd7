package gosrc

import (
	"errors"
	"fmt"
	"go/types"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Func is a Go function with its source: what a package gets in the place of a func value, which has none when a
// program runs. Its methods may be called from several goroutines; what it compiles, it keeps.
type Func struct {
	Name  string
	Value any // the func itself

	entry     *Entry // of a function that go generate has compiled; nil for one with source
	source    *Source
	fn        *types.Func
	targs     []types.Type
	mu        sync.Mutex
	compiled  map[Options]*Kernel
	inline    *Inline
	combiner  *Combiner
	streaming *Streaming
	reader    *reader
}

// NewFunc returns fn, or its instance for targs, with what it is at run time.
func NewFunc(src *Source, fn *types.Func, targs []types.Type, value any) *Func {
	return &Func{Name: fn.Name(), Value: value, source: src, fn: fn, targs: targs, compiled: map[Options]*Kernel{}}
}

// Same reports whether f and g are one function of one source, with the same type arguments: what is compiled of one
// is that of the other.
func (f *Func) Same(g *Func) bool {
	if f.entry != nil || g.entry != nil {
		return f.entry == g.entry
	}
	return f.source == g.source && f.fn == g.fn && slices.EqualFunc(f.targs, g.targs, types.Identical)
}

// FuncOf returns the function that v is: a *Func, or what has one by a method Func. A func has no source: the error
// says what to give instead.
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
		return nil, errors.New("the kernel is a func value, whose source is not known any more: its variable was assigned to, or is not declared with a function literal; name the function in the call, or keep gpu.Kernel of it in the variable")
	}
	short := name[strings.LastIndex(name, "/")+1:]
	if e, err := entryOf(r); err != nil {
		return nil, err
	} else if e != nil {
		return &Func{Name: short[strings.LastIndex(strings.TrimSuffix(short, "[...]"), ".")+1:], Value: v, entry: e, compiled: map[Options]*Kernel{}}, nil
	}
	return nil, fmt.Errorf("the source of %s is not known: in a cell, give a function that a cell has declared; in a program, have it compiled by a step of go generate, "+
		"//go:generate go run github.com/arrayrepl/arrayrepl/gpu/kernelgen", short)
}

// Kernel compiles the function, once for each set of options.
func (f *Func) Kernel(opts Options) (*Kernel, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if k := f.compiled[opts]; k != nil {
		return k, nil
	}
	var k *Kernel
	var err error
	if f.entry != nil {
		if k, err = f.entry.kernel(reflect.TypeOf(f.Value), opts); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", f.Name, err)
		}
	} else if k, err = Compile(f.source, f.fn, f.targs, opts); err != nil {
		return nil, err
	}
	text := sync.OnceValues(f.Text)
	k.Func.Source = func(p kir.Pos) string {
		if file, lines := text(); file == p.File {
			return lines[p.Line]
		}
		return ""
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
	if f.entry != nil {
		in, err := f.entry.inline(f.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		f.inline = in
		return in, nil
	}
	in, err := NewInline(f.source, f.fn, f.targs, Options{})
	f.inline = in
	return in, err
}

// Package returns the package of a function with source.
func (f *Func) Package() *types.Package { return f.fn.Pkg() }

// Expr writes a function with source as its own package names it, with the type arguments of an instance.
func (f *Func) Expr() string {
	if len(f.targs) == 0 {
		return f.Name
	}
	var args []string
	for _, t := range f.targs {
		args = append(args, types.TypeString(t, types.RelativeTo(f.fn.Pkg())))
	}
	return f.Name + "[" + strings.Join(args, ", ") + "]"
}
