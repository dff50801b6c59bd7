package simgpu

import "github.com/arrayrepl/arrayrepl/offload/device"

func init() { device.Offer(Register) }

// Register adds the simulated GPUs to r, by their [Names], those that [Custom] makes later, and further GPUs of a
// machine ("sim:v100x8#3"). A program need not call it: an import of this package is enough for np.Use("sim:v100").
func Register(r *device.Registry) {
	machines := new(Machines)
	for _, name := range Names() {
		r.Add(name, func() (device.Device, error) { return machines.Open(name) })
	}
	r.AddFamily("sim:", nil, machines.Open)
}
