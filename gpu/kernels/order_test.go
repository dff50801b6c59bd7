package kernels_test

import (
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

// cuda-scan-brook.md A.4, block independence: whatever the order of the blocks, and on however many SMs, the kernels
// leave the same bits in memory. Every number of SMs from 1 to 30 has a shuffle of its own; number 0 is the machine as
// it is, in order. A short test tries a third of the numbers, each turn others.
func TestBlockOrder(t *testing.T) {
	r := new(device.Registry)
	names := []string{"sim:v100"}
	for n := 1; n <= 30; n++ {
		if !testsize.Part(n, 3) {
			continue
		}
		names = append(names, simgpu.Custom("v100", simgpu.WithSMs(n), simgpu.WithBlockOrder(simgpu.Shuffle(n))))
	}
	for _, name := range names {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	rt, err := offload.New(r, names[0])
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	for _, k := range kernels.All {
		f, err := kernels.Source(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		var first []any
		for n, name := range names {
			lazy.Use(name)
			got := k.Args()
			args := append(k.Options(), got...)
			gpu.Launch(f, gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...), args...)
			if n == 0 {
				first = got
				continue
			}
			same := k
			if k.Name != "KMeans" { // it sums floats by atomics: their order shows in the last bits
				same.Within = 0
			}
			compare(t, same, fmt.Sprintf("%s on %s", k.Name, name), got, first)
		}
	}
}
