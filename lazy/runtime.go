package lazy

import (
	"sync"

	"github.com/arrayrepl/arrayrepl/offload"
	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/host"
)

var current struct {
	sync.Mutex
	rt *offload.Runtime
}

// SetRuntime makes rt evaluate all arrays of the process from now on. Arrays belong to the runtime that was set when
// they were made: set it before any.
func SetRuntime(rt *offload.Runtime) {
	current.Lock()
	current.rt = rt
	current.Unlock()
	offload.SetDefault(rt)
}

// runtime returns the runtime that was set, or one that has the host alone.
func runtime() *offload.Runtime {
	current.Lock()
	defer current.Unlock()
	if current.rt == nil {
		var r device.Registry
		r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
		rt, err := offload.New(&r, "host")
		if err != nil {
			panic(err)
		}
		current.rt = rt
		offload.SetDefault(rt)
	}
	return current.rt
}

// Runtime returns what evaluates all arrays: for packages that work on its devices beside it.
func Runtime() *offload.Runtime { return runtime() }

// Use makes the named device run kernels from now on: "sim:v100", "host"; Devices lists the names. It panics on a name
// that does not exist.
func Use(name string) {
	if err := runtime().Use(name); err != nil {
		panic(err)
	}
}

// Device returns the ID of the device that runs kernels now.
func Device() string { return runtime().Device().ID() }

// Devices returns the names of the devices that Use takes.
func Devices() []string { return runtime().Devices() }

// Stats returns what the runtime has done so far: kernels launched, bytes copied.
func Stats() offload.Stats { return runtime().Stats() }
