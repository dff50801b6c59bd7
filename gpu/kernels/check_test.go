package kernels_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Executed in the order in which a timing model issues them, under every policy for lanes that part, the kernels leave
// the memory of the functional pass, and none is refused. Those whose results are in the order of their threads, and
// the one that sums floats by atomics, may say so.
func TestCheck(t *testing.T) {
	r := new(device.Registry)
	var names []string
	for _, options := range [][]simgpu.Option{
		{simgpu.Check()},
		{simgpu.Check(), simgpu.WithDivergence(simgpu.NREC{}), simgpu.WithIssuePolicy(simgpu.LRR{}), simgpu.WithBlockOrder(simgpu.Shuffle(3))},
	} {
		name := simgpu.Custom("v100", options...)
		names = append(names, name)
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	rt, err := offload.New(r, names[0])
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	for at, k := range kernels.All {
		f, err := kernels.Source(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			if !testsize.Part(at+i, 3) {
				continue
			}
			t.Run(fmt.Sprint(k.Name, "/", i), func(t *testing.T) {
				lazy.Use(name)
				args := append(k.Args(), k.Options()...)
				defer func() {
					var order *simgpu.OrderError
					if err, _ := recover().(error); err != nil && !(errors.As(err, &order) && (k.Unordered || k.Name == "KMeans")) {
						t.Error(err)
					}
				}()
				gpu.Launch(f, gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...), args...)
			})
		}
	}
}
