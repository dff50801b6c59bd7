package gpu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/cudabackend/nvrtc"
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// Module holds the kernels of a text in PTX or CUDA C. One with a single kernel can itself be given to [Launch].
type Module struct{ kernels []*Function }

// PTX reads a text in PTX, NVIDIA's virtual assembly language. Its kernels are launched like those in Go, on every
// device:
//
//	m := gpu.PTX(text)
//	gpu.Launch(m.Kernel("saxpy"), gpu.Blocks(n, 256), 256, n, 2, x, y)
//
// Pointers take arrays, slices, buffers of a stream, and nil; other parameters numbers; structs Go structs of the same
// layout. An access outside of the memory that an argument has ends the launch with an error. It panics with *Error
// when the text cannot be read: the error names the line.
func PTX(text string) *Module {
	fs, err := ptx.Parse(text)
	if err != nil {
		panic(&Error{Err: err})
	}
	return newModule(fs)
}

// CUDA compiles CUDA C by NVIDIA's runtime compiler (NVRTC), which needs neither a GPU nor a driver: its library comes
// with "pip install nvidia-cuda-nvrtc-cu12". What is said of the arguments of kernels of [PTX] is true of these, and of
// all devices. Options are those of NVRTC: "-DN=256", "--use_fast_math". Products and sums are not contracted, so that
// results are those of plain Go, unless fast math is asked for.
//
// It panics with *Error when the source cannot be compiled, with the compiler's messages, or when there is no compiler.
//
// For example:
//
//	m := gpu.CUDA(`__global__ void twice(float *x) { x[threadIdx.x] *= 2; }`)
//	gpu.Launch(m, 1, 32, np.Ones(32).AsType(np.Float32))
func CUDA(source string, options ...string) *Module {
	o := nvrtc.Options{Name: "cuda", Poll: arrays.Wiring{}.Poll} // an interrupt of the cell ends the compiler
	for _, x := range options {
		if x == "--use_fast_math" || x == "-use_fast_math" {
			o.FastMath = true
			continue
		}
		o.Flags = append(o.Flags, x)
	}
	fs, err := nvrtc.Kernels(source, o)
	if err != nil {
		panic(&Error{Err: err})
	}
	return newModule(fs)
}

func newModule(fs []*kir.Func) *Module {
	m := &Module{}
	for _, f := range fs {
		m.kernels = append(m.kernels, &Function{raw: newRawKernel(f)})
	}
	return m
}

// Names returns the names of the kernels, in the order of the text.
func (m *Module) Names() (names []string) {
	for _, k := range m.kernels {
		names = append(names, k.name())
	}
	return names
}

// Kernel returns the kernel of the given name. It panics with *Error when there is none.
func (m *Module) Kernel(name string) *Function {
	i := slices.Index(m.Names(), name)
	if i < 0 {
		panic(&Error{name, fmt.Errorf("the module has no kernel %s; it has %s", name, strings.Join(m.Names(), ", "))})
	}
	return m.kernels[i]
}

// String lists the kernels with their parameters.
func (m *Module) String() string {
	var lines []string
	for _, k := range m.kernels {
		lines = append(lines, "kernel "+k.raw.signature())
	}
	return strings.Join(lines, "\n")
}
