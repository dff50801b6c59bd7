package gpu

import (
	"errors"
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/gosrc"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/device"
)

// Function is a kernel that can be kept in a variable: a Go function with its source, or one of a [Module].
type Function struct {
	f   *gosrc.Func // of a Go function
	raw *rawKernel  // of one in PTX
}

// Kernel returns f with its source, to be kept in a variable and given to [Launch] or np.Map later. It panics with
// *Error when the source is not known.
//
// For example:
//
//	k := gpu.Kernel(saxpy)
//	gpu.Launch(k, gpu.Blocks(n, 256), 256, 2, x, y)
//	k.IR() // what the compiler makes of it
func Kernel(f any) *Function {
	k, err := gosrc.FuncOf(f)
	if err != nil {
		panic(&Error{Err: err})
	}
	return &Function{f: k}
}

// functionOf returns what a launch was given as its kernel.
func functionOf(kernel any) (*Function, error) {
	switch k := kernel.(type) {
	case *Function:
		if k == nil {
			return nil, errors.New("the kernel is nil; was it never assigned?")
		}
		return k, nil
	case *Module:
		if k == nil {
			return nil, errors.New("the kernel is nil; was it never assigned?")
		}
		if len(k.kernels) > 1 {
			return nil, fmt.Errorf("the module has %d kernels: choose one by its method Kernel (%s)", len(k.kernels), strings.Join(k.Names(), ", "))
		}
		return k.kernels[0], nil
	}
	f, err := gosrc.FuncOf(kernel)
	if err != nil {
		return nil, err
	}
	return &Function{f: f}, nil
}

func (f *Function) name() string {
	if f.raw != nil {
		return f.raw.f.Name
	}
	return f.f.Name
}

// Func implements what packages ask for that take Go functions; nil for a kernel in another language.
func (f *Function) Func() *gosrc.Func { return f.f }

// IR compiles the function as a kernel and returns the text of what devices get, before they optimise it
// ([Function.Optimized] is that after). It panics with *Error when it cannot be one.
func (f *Function) IR() string { return f.kernel().String() }

// Optimized is IR after the compiler of a simulated GPU, and of the CPU, has optimised it: what is left of constants,
// common terms and loops of known counts. The order of instructions and their registers follow from the launch.
func (f *Function) Optimized() string { return opt.Optimize(f.kernel()).String() }

// SASS returns the machine instructions that a simulated GPU executes for the function, "g80" or "sim:v100": each with
// its unit, for how many clocks of the lanes it takes that, and its latency; and the registers of a thread. It panics
// with *Error when there is no such machine, or it shows no instructions, as a card and the CPU.
//
// For example:
//
//	fmt.Println(gpu.Kernel(saxpy).SASS("g80"))
func (f *Function) SASS(machine string) string {
	if !strings.Contains(machine, ":") && machine != "host" {
		machine = "sim:" + machine
	}
	devices, err := lazy.Runtime().Named(machine)
	if err != nil {
		panic(&Error{f.name(), err})
	}
	l, ok := devices[0].(device.Lister)
	if !ok {
		panic(&Error{f.name(), fmt.Errorf("%s shows no machine instructions: simulated GPUs do, and Optimized shows what all devices begin with", machine)})
	}
	text, err := l.Listing(f.kernel())
	if err != nil {
		panic(&Error{f.name(), err})
	}
	return text
}

// Rewrites says which passes changed the kernel on the way from IR to Optimized, and by which rules, a line for each in
// the order in which they first did: "fold: product with a power of two (2 times)". It panics with *Error when the
// function cannot be a kernel.
func (f *Function) Rewrites() string {
	_, changes := opt.Explain(f.kernel())
	return opt.Text(changes)
}

// kernel returns the function as a kernel, as devices get it.
func (f *Function) kernel() *kir.Func {
	if f.raw != nil {
		return f.raw.f
	}
	k, err := f.f.Kernel(gosrc.Options{})
	if err != nil {
		panic(&Error{f.name(), err})
	}
	return k.Func
}

// String returns the function's name.
func (f *Function) String() string { return "kernel " + f.name() }
