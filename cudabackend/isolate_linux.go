//go:build !nocuda

package cudabackend

import "github.com/arrayrepl/arrayrepl/offload/device"

// opener returns what opens GPUs: in a worker process, where a command is given that starts one, else in this process.
func opener(worker []string) func(ordinal int) (device.Device, error) {
	if len(worker) == 0 {
		return func(ordinal int) (device.Device, error) { return Open(ordinal) }
	}
	f := newFleet(worker)
	return func(ordinal int) (device.Device, error) { return openRemote(f, ordinal) }
}
