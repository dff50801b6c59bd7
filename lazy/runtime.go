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
func (Wiring) SetRuntime(rt *offload.Runtime) {
	current.Lock()
	current.rt = rt
	current.Unlock()
	offload.SetDefault(rt)
}

// runtime returns the runtime that was set, or one that begins on the host and has the devices of the packages that the
// program imports.
func runtime() *offload.Runtime {
	current.Lock()
	defer current.Unlock()
	if current.rt == nil {
		r := device.Offered()
		r.Add("host", func() (device.Device, error) { return host.Open(0), nil })
		rt, err := offload.New(r, "host")
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

// Use makes the named devices run kernels from now on; Devices lists the names. "sim:v100" and "host" are one device;
// the name of a machine of several GPUs, as "sim:v100x8", stands for all of them, one with a number, "sim:v100x8#3",
// for one, and "cuda:*" for all cards. Several devices share an operation on large arrays, which are cut into tiles
// ([Array.Tiling]); what cannot be cut, or is small, runs on one of them. The policy that [offload.Policy] sets says
// which device has which tile. Use panics on a name that does not exist.
//
// In a notebook all devices are there. A program has "host", and those of the packages that it imports:
//
//	import _ "github.com/arrayrepl/arrayrepl/simgpu"      // "sim:v100" and its kin
//	import _ "github.com/arrayrepl/arrayrepl/cudabackend" // "cuda:0", where there is a driver
//	import _ "github.com/arrayrepl/arrayrepl/offload/cm"  // "cm:1986", which package gpu/dp imports too
func Use(names ...string) {
	if err := runtime().Use(names...); err != nil {
		panic(err)
	}
}

// Device returns the ID of the device that runs kernels now; of several devices, the names that Use was given.
func Device() string {
	_, name := runtime().Using()
	return name
}

// Devices returns the names of the devices that Use takes.
//
// For example:
//
//	np.Devices() // what np.Use takes here
func Devices() []string { return runtime().Devices() }

// Stats returns what the runtime has done so far: kernels launched, bytes copied.
//
// For example:
//
//	before := np.Stats().Launches
//	np.Eval(np.Sqrt(x))
//	fmt.Println(np.Stats().Launches - before)
func Stats() offload.Stats { return runtime().Stats() }
