package gosrc

import (
	"fmt"
	"go/types"
	"strings"
	"sync"

	"golang.org/x/tools/go/ssa"

	"github.com/arrayrepl/arrayrepl/kir"
)

// Options changes how a function is compiled.
type Options struct {
	// Unchecked leaves out the tests of indices, slice bounds, divisors and shift counts. What a wrong one then does is
	// what the machine does.
	Unchecked bool
}

// Kernel is a Go function as a kernel.
type Kernel struct {
	Func   *kir.Func
	Params []Param // of the Go function
	Prints bool    // it calls gpu.Printf
	// Dynamic says that it uses gpu.SharedDynamic, for which the launch gives the size.
	Dynamic   bool
	Variables []Variable // of packages; their parameters follow those of Params
	Launches  *Launches  // from the kernel; nil where it launches nothing

	mu       sync.Mutex
	variants map[string]*kir.Func
}

// Variant returns what change makes of Func, once for each name.
func (k *Kernel) Variant(name string, change func(*kir.Func) (*kir.Func, error)) (*kir.Func, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f := k.variants[name]; f != nil {
		return f, nil
	}
	f, err := change(k.Func)
	if err != nil {
		return nil, err
	}
	if k.variants == nil {
		k.variants = map[string]*kir.Func{}
	}
	k.variants[name] = f
	return f, nil
}

// Param is a parameter of the Go function.
type Param struct {
	Name   string
	Type   types.Type
	Leaves []Leaf // the scalars and slices that it is made of
}

// Leaf is a scalar or a slice in a parameter. It is the kernel's parameter number First; of a slice that is the
// address, and the length, an I64, follows.
type Leaf struct {
	Path  []int // fields of structs and elements of arrays that lead to it
	Name  string
	First int
	Type  types.Type // Go's
	// Of a slice: the elements' type and size, and what the kernel does with them.
	Elem          types.Type
	ElemBytes     int
	Reads, Writes bool
	org           *origin
}

// IsSlice reports whether l is a slice.
func (l *Leaf) IsSlice() bool { return l.Elem != nil }

// IsComplex reports whether l is a complex number, which takes two of the kernel's parameters.
func (l *Leaf) IsComplex() bool {
	b, ok := l.Type.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

// Compile makes a kernel of a Go function, with the given type arguments when it is generic. Its error is an [Errors]
// when the function cannot be one.
func Compile(src *Source, fn *types.Func, targs []types.Type, opts Options) (*Kernel, error) {
	p, err := build(src, fn, targs, true)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	l := newLowerer(p, kir.NewBuilder(kernelName(fn.Name())), opts)
	l.kernel = true
	k := &Kernel{}
	err = guard(func() {
		if r := p.fn.Signature.Results(); r.Len() > 0 {
			l.fail(p.fn.Pos(), "write it to an element of a slice", "a kernel has no result, %s has %d", fn.Name(), r.Len())
		}
		args, n := l.params(k)
		l.variables(k, n)
		body := l.newBlock("")
		l.jump(body)
		l.setBlock(body)
		l.call(p.fn, args, nil, p.fn.Pos())
		if l.cur != nil {
			l.b.Return()
		}
		l.handedOn()
	})
	if err != nil {
		return nil, err
	}
	if l.launches != nil {
		k.Launches = l.launches.of
	}
	if k.Func, err = l.b.Func(); err != nil {
		return nil, err
	}
	k.Prints, k.Dynamic = l.prints, l.dynamic != nil
	for i := range k.Params {
		for j := range k.Params[i].Leaves {
			if leaf := &k.Params[i].Leaves[j]; leaf.org != nil {
				leaf.Reads, leaf.Writes = leaf.org.root().read, leaf.org.root().written
			}
		}
	}
	for i := range k.Variables {
		v := &k.Variables[i]
		v.Reads, v.Writes = v.org.root().read, v.org.root().written
	}
	return k, nil
}

func newLowerer(p *program, b *kir.Builder, opts Options) *lowerer {
	l := &lowerer{p: p, b: b, unchecked: opts.Unchecked, inMemory: map[*ssa.Alloc]bool{}, globals: map[*types.Var]part{}}
	l.entry = b.Block()
	l.cur = &block{kb: l.entry, vars: map[slot]*kir.Value{}}
	return l
}

// kernelName makes an identifier of a function's name.
func kernelName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, name)
}

// params makes the kernel's parameters of the function's, n of them.
func (l *lowerer) params(k *Kernel) (args []value, n int) {
	for _, p := range l.p.fn.Params {
		param := Param{Name: p.Name(), Type: p.Type()}
		var v value
		if err := l.addParam(&param, &v, p.Type(), p.Name(), nil, &n); err != nil {
			l.fail(p.Pos(), "parameters are numbers, bools, slices of them, and structs and arrays of all these", "a kernel cannot have the parameter %s: %v", p.Name(), err)
		}
		k.Params = append(k.Params, param)
		args = append(args, v)
	}
	return args, n
}

// maxParamElements bounds the arrays among parameters: each element is a parameter.
const maxParamElements = 64

func (l *lowerer) addParam(param *Param, out *value, t types.Type, name string, path []int, n *int) error {
	add := func(name string, k kir.Type) *kir.Value {
		*n++
		return l.b.Param(name, k)
	}
	path = path[:len(path):len(path)]
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if k, ok := basicTypes[u.Kind()]; ok {
			param.Leaves = append(param.Leaves, Leaf{Path: path, Name: name, First: *n, Type: t})
			*out = append(*out, part{v: add(name, k)})
			return nil
		}
		if k, ok := complexParts[u.Kind()]; ok {
			param.Leaves = append(param.Leaves, Leaf{Path: path, Name: name, First: *n, Type: t})
			*out = append(*out, part{v: add("real("+name+")", k)}, part{v: add("imag("+name+")", k)})
			return nil
		}
	case *types.Slice:
		if _, err := inMemory(u.Elem()); err != nil {
			return err
		}
		org := &origin{known: true, space: kir.Global}
		param.Leaves = append(param.Leaves, Leaf{Path: path, Name: name, First: *n, Type: t, Elem: u.Elem(), ElemBytes: int(sizes.Sizeof(u.Elem())), org: org})
		first := *n
		base, length := add(name, kir.U64), add("len("+name+")", kir.I64)
		l.slices = append(l.slices, paramSlice{first, base})
		*out = append(*out, part{v: base, org: org}, part{v: length}, part{v: length})
		return nil
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i)
			if err := l.addParam(param, out, f.Type(), name+"."+f.Name(), append(path, i), n); err != nil {
				return err
			}
		}
		return nil
	case *types.Array:
		if u.Len() > maxParamElements {
			return fmt.Errorf("an array of %d elements; a slice can have as many as you like", u.Len())
		}
		for i := range int(u.Len()) {
			if err := l.addParam(param, out, u.Elem(), fmt.Sprintf("%s[%d]", name, i), append(path, i), n); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("its type is %s", typeName(t))
}

// Inline is a Go function of scalars that can be put into kernels.
type Inline struct {
	Name   string
	Params []kir.Type
	Result kir.Type
	// Results are those of code with several, which [NewCode] makes; nil of a function with one.
	Results []kir.Type
	all     func(b *kir.Builder, args []*kir.Value) ([]*kir.Value, error)
	emit    func(b *kir.Builder, args []*kir.Value) (*kir.Value, error)
}

// NewInline checks a function of scalars with one result, so that Emit cannot fail. types of the arguments and of the
// result are the function's own.
func NewInline(src *Source, fn *types.Func, targs []types.Type, opts Options) (*Inline, error) {
	p, err := build(src, fn, targs, false)
	if err != nil {
		return nil, err
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	in := &Inline{Name: fn.Name()}
	in.emit = func(b *kir.Builder, args []*kir.Value) (result *kir.Value, err error) {
		l := newLowerer(p, b, opts)
		err = guard(func() {
			var xs []value
			for _, a := range args {
				xs = append(xs, plain(a))
			}
			out := l.call(p.fn, xs, nil, p.fn.Pos())
			if l.cur == nil {
				l.fail(p.fn.Pos(), "", "%s never returns", in.Name)
			}
			result = out.scalar()
		})
		return result, err
	}
	for _, param := range p.fn.Params {
		k, ok := scalarOf(param.Type())
		if !ok {
			return nil, Errors{src.errorf(param.Pos(), "np.Map calls it with one element of each array; a kernel, for gpu.Launch, has no result", "the parameter %s of %s is not a number or bool: its type is %s", param.Name(), fn.Name(), typeName(param.Type()))}
		}
		in.Params = append(in.Params, k)
	}
	results := p.fn.Signature.Results()
	ok := results.Len() == 1
	if ok {
		in.Result, ok = scalarOf(results.At(0).Type())
	}
	if !ok {
		return nil, Errors{src.errorf(p.fn.Pos(), "", "%s must have one result, a number or a bool", fn.Name())}
	}
	b := kir.NewBuilder(kernelName(fn.Name())) // a trial
	var args []*kir.Value
	for i, k := range in.Params {
		args = append(args, b.Param(fmt.Sprintf("x%d", i), k))
	}
	if _, err := in.Emit(b, args...); err != nil {
		return nil, err
	}
	return in, nil
}

// Emit puts the function's code into the block that is current in b, and what follows it; the block in which the result
// is known is current afterwards.
func (in *Inline) Emit(b *kir.Builder, args ...*kir.Value) (result *kir.Value, err error) {
	saved := b.Pos
	defer func() { b.Pos = saved }()
	return in.emit(b, args)
}

// NewCode makes code with several results of what emits it.
func NewCode(name string, params, results []kir.Type, emit func(b *kir.Builder, args []*kir.Value) ([]*kir.Value, error)) *Inline {
	return &Inline{Name: name, Params: params, Results: results, all: emit}
}

// EmitAll is [Inline.Emit] with all results.
func (in *Inline) EmitAll(b *kir.Builder, args ...*kir.Value) ([]*kir.Value, error) {
	if in.all == nil {
		v, err := in.Emit(b, args...)
		return []*kir.Value{v}, err
	}
	saved := b.Pos
	defer func() { b.Pos = saved }()
	return in.all(b, args)
}

// Kernel returns the function as a kernel of its own, which stores the result at the address that is its last
// parameter.
func (in *Inline) Kernel() (*kir.Func, error) {
	b := kir.NewBuilder(kernelName(in.Name))
	var args []*kir.Value
	for i, t := range in.Params {
		args = append(args, b.Param(fmt.Sprintf("x%d", i), t))
	}
	to := b.Param("result", kir.U64)
	result, err := in.Emit(b, args...)
	if err != nil {
		return nil, err
	}
	b.Store(kir.Global, to, result)
	b.Return()
	return b.Func()
}
