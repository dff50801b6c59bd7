// Package testdevices is the devices of tests that cross packages: a runtime with all of them, and a driver for those
// of NVIDIA where there is no card.
package testdevices

import (
	"os"
	"sync"
	"testing"

	"github.com/arrayrepl/arrayrepl/cudabackend"
	"github.com/arrayrepl/arrayrepl/cudabackend/fake"
	"github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
	"github.com/arrayrepl/arrayrepl/simgpu"
)

// last is the runtime of the latest call of Use. Nothing else of a test holds earlier ones: what they have compiled and
// modelled would be walked by each collection that the test asks for.
var last *offload.Runtime

// Use gives lazy a runtime with the host, every simulated GPU, and what the NVIDIA driver has, if there is one.
// Machines of one simulated GPU have the options: tests that ask for no times have them sampled, which takes less.
func Use(t testing.TB, options ...simgpu.Option) *offload.Runtime {
	t.Helper()
	var r device.Registry
	r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
	simulated := new(simgpu.Machines)
	for _, name := range simgpu.Names() {
		r.Add(name, func() (device.Device, error) {
			if preset, err := simgpu.PresetByName(name); err == nil && len(options) > 0 && preset.GPUs <= 1 {
				return simgpu.New(preset, options...), nil
			}
			return simulated.Open(name)
		})
	}
	r.AddFamily("sim:", nil, simulated.Open)
	cudabackend.Register(&r)
	rt, err := offload.New(&r, "host")
	if err != nil {
		t.Fatal(err)
	}
	lazy.Wiring{}.SetRuntime(rt)
	trimLast()
	last = rt
	t.Cleanup(trimLast)
	return rt
}

// trimLast gives back what the last runtime has set aside: the card is one for all tests.
func trimLast() {
	if last != nil {
		last.Trim()
		last = nil
	}
}

// Driver is a driver library for NVIDIA GPUs without a GPU, started once. Its error is [fake.ErrNone] where there is no
// compiler to build it.
var Driver = sync.OnceValues(func() (*fake.Driver, error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return fake.Start(dir)
})
