package kernels_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/gpu"
	"github.com/arrayrepl/arrayrepl/gpu/kernels"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// Launched as a cell launches them, on the CPU, on simulated GPUs and, as PTX, through a driver, the kernels give what
// plain Go gives.
func TestDevices(t *testing.T) {
	names := []string{"host", "sim:v100", "sim:tiny", "cuda:0"}
	if _, err := fake.Start(t.TempDir()); errors.Is(err, fake.ErrNone) {
		t.Logf("without cuda:0: %v", err)
		names = names[:3]
	} else if err != nil {
		t.Fatal(err)
	}
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	for _, name := range names[1:3] {
		r.Add(name, func() (device.Device, error) { return simgpu.Open(name) })
	}
	cudabackend.Register(r)
	rt, err := offload.New(r, "host")
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	for i, name := range names {
		lazy.Use(name)
		for at, k := range kernels.All {
			if !testsize.Part(at+i, 3) {
				continue
			}
			t.Run(name+"/"+k.Name, func(t *testing.T) {
				if name == "cuda:0" && (k.Together || k.Cluster > 0 || k.Since > 80) {
					return // cards are not asked for cooperative launches, and the driver for tests has one of 8.0
				}
				f, err := kernels.Source(k.Name)
				if err != nil {
					t.Fatal(err)
				}
				want, got := k.Args(), k.Args()
				k.Want(want)
				args := append(k.Options(), got...)
				gpu.Launch(f, gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...), args...)
				compare(t, k, name, got, want)
			})
		}
	}
}

// A launch that asks for fewer registers gets them and computes the same; fast math, which makes fmas of products and
// sums, nearly the same.
func TestCompilerOptions(t *testing.T) {
	r := new(device.Registry)
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	r.Add("sim:v100", func() (device.Device, error) { return simgpu.Open("sim:v100") })
	rt, err := offload.New(r, "host")
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	defer lazy.Wiring{}.SetRuntime(nil)
	k := kernels.All[slices.IndexFunc(kernels.All, func(k kernels.Kernel) bool { return k.Name == "MatMulTiled" })]
	k.Within = 1e-5
	f, err := kernels.Source(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"host", "sim:v100"} {
		lazy.Use(name)
		for _, most := range []int{0, 20} {
			want, got := k.Args(), k.Args()
			k.Want(want)
			args := append(append([]any{}, got...), gpu.FastMath())
			if most > 0 {
				args = append(args, gpu.MaxRegisters(most))
			}
			report := gpu.Launch(f, gpu.Grid(k.Grid[:]...), gpu.Block(k.Block[:]...), args...)
			compare(t, k, name, got, want)
			if name == "host" {
				continue
			}
			if n := report.Stats().Registers; most > 0 && n > most || most == 0 && n <= 20 {
				t.Errorf("%d registers, asked for %d", n, most)
			}
		}
	}
	defer func() {
		if e, ok := recover().(*gpu.Error); !ok || !strings.Contains(e.Error(), "at least 16") {
			t.Error(e)
		}
	}()
	gpu.Launch(f, 1, 1, gpu.MaxRegisters(4))
}
