package simgpu_test

import (
	"fmt"

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
