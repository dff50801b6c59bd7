package kernels

import (
	"fmt"
	"go/types"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/emulate"
	"github.com/arrayrepl/arrayrepl/gpu/internal/inputs"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/gosrc/load"
)

// Kernel is a kernel of the corpus with a launch of it.
type Kernel struct {
	Name        string // of the function
	Func        any
	Grid, Block [3]int
	Dynamic     int  // bytes of dynamic shared memory
	Together    bool // all blocks are there at a time: see gpu.LaunchCooperative
	Since       int  // compute capability from which on cards have what it needs, as 89; 0 where it is 8.0 or less
	Cluster     int  // blocks of a cluster, 0 where there are none: see gpu.Clusters
	// Args makes the arguments: scalars and slices.
	Args func() []any
	// Want does to the arguments what the kernel should, as plain Go.
	Want func(args []any)
	// Within is how far floats may be from Want's, relative to their size: 0 where the bits must be equal. Kernels that
	// sum in another order, or call functions that round otherwise than Go's, have some.
	Within float64
	// Unordered says that the order of the results depends on that of the threads.
	Unordered bool
}

// All are the kernels, in the order of their files.
var All = func() (all []Kernel) {
	for _, list := range [][]Kernel{basics, reductions, scans, stencils, numeric, bitKernels, groups, grids, halves, tensors, copied, withVariables, article, clusters} {
		all = append(all, list...)
	}
	return all
}()

// Options returns the options of gpu.Launch that the launch has.
func (k *Kernel) Options() (out []any) {
	if k.Dynamic > 0 {
		out = append(out, gpu.DynamicShared(k.Dynamic))
	}
	if k.Together {
		out = append(out, gpu.Cooperative())
	}
	if k.Cluster > 0 {
		out = append(out, gpu.Clusters(k.Cluster))
	}
	return append(out, gpu.Anyway()) // some are newer than the machine
}

// Emulate runs the function as it is.
func (k *Kernel) Emulate(args []any) error {
	run := emulate.Run
	if k.Together {
		run = emulate.RunTogether
	}
	if n := k.Cluster; n > 0 {
		return emulate.RunClusters(n, k.Grid, k.Block, k.Dynamic, k.Call(args))
	}
	return run(k.Grid, k.Block, k.Dynamic, k.Call(args))
}

// Find returns the kernel of the given name.
func Find(name string) (Kernel, error) {
	for _, k := range All {
		if k.Name == name {
			return k, nil
		}
	}
	return Kernel{}, fmt.Errorf("the corpus has no kernel %s", name)
}

var corpus = sync.OnceValues(func() (*load.Package, error) {
	_, file, _, _ := runtime.Caller(0)
	p, err := load.Load(filepath.Dir(file), ".")
	if err == nil {
		p.Source.Address = func(v *types.Var) any { return Addresses[v.Name()] }
	}
	return p, err
})

// Source returns the function of the given name as gpu.Launch takes it. Like Compile, it needs the go command.
func Source(name string) (*gosrc.Func, error) {
	k, err := Find(name)
	if err != nil {
		return nil, err
	}
	p, err := corpus()
	if err != nil {
		return nil, err
	}
	fn, err := p.Func(name)
	if err != nil {
		return nil, err
	}
	return gosrc.NewFunc(p.Source, fn, nil, k.Func), nil
}

// Compile makes a kernel of the function of the given name. It reads the source of this package, so it needs the go
// command.
func Compile(name string, opts gosrc.Options) (*gosrc.Kernel, error) {
	p, err := corpus()
	if err != nil {
		return nil, err
	}
	fn, err := p.Func(name)
	if err != nil {
		return nil, err
	}
	k, err := gosrc.Compile(p.Source, fn, nil, opts)
	if of, ferr := Find(name); err == nil && ferr == nil {
		k.Func.Bounds.Cluster = of.Cluster
	}
	return k, err
}

// Call returns a call of the function, as emulation wants it.
func (k *Kernel) Call(args []any) func() {
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
	}
	f := reflect.ValueOf(k.Func)
	return func() { f.Call(in) }
}

// What kernels are tried with.
var floats, ints, next = inputs.Floats, inputs.Ints, inputs.Next

func d1(x int) [3]int    { return [3]int{x, 1, 1} }
func d2(x, y int) [3]int { return [3]int{x, y, 1} }
