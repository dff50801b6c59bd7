package simgpu_test

import (
	"fmt"
	"slices"
	"strings"

	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/trace"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// An import of the package is enough to compute on simulated GPUs.
func Example() {
	np.Use("sim:tiny")
	defer np.Use("host")
	x := np.Arange(1000).AsType(np.Float64)
	fmt.Println(x.Mul(2).Add(1).Sum(), np.Device())
	fmt.Println(len(trace.Last().Kernels()), "kernel")
	// Output:
	// 1000000.0 sim:tiny#0
	// 1 kernel
}

func ExamplePresetByName() {
	p, err := simgpu.PresetByName("sim:v100")
	fmt.Println(p.Name, p.SMs, err)
	_, err = simgpu.PresetByName("sim:none")
	fmt.Println(err != nil)
	// Output:
	// v100 80 <nil>
	// true
}

// A machine that differs from a preset in one thing is one more device.
func ExampleCustom() {
	small := simgpu.Custom("v100", simgpu.Change(func(p *simgpu.Preset) { p.Name, p.SMs = "v100of8", 8 }))
	np.Use(small)
	defer np.Use("host")
	fmt.Println(np.Device(), np.Ones(10).Sum())
	// Output:
	// sim:v100of8#0 10.0
}

// Machines that differ in a policy alone, for comparisons.
func ExampleVariants() {
	names := simgpu.Variants("tesla2009", simgpu.WithDivergence(simgpu.PDOM{}), simgpu.WithDivergence(simgpu.MIMD{}))
	for _, name := range names {
		fmt.Println(strings.HasPrefix(name, "sim:tesla2009-"))
	}
	fmt.Println(names[0] != names[1])
	// Output:
	// true
	// true
	// true
}

// The simulated machines by their names.
func ExampleNames() {
	names := simgpu.Names()
	fmt.Println(slices.Contains(names, "sim:v100"), slices.Contains(names, "sim:gtx280"))
	// Output:
	// true true
}
