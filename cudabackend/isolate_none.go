//go:build nocuda || !linux

package cudabackend

import (
	"errors"

	"github.com/arrayrepl/arrayrepl/offload/device"
)

// opener returns what opens GPUs: in this process.
func opener([]string) func(ordinal int) (device.Device, error) {
	return func(ordinal int) (device.Device, error) { return Open(ordinal) }
}

// ServeWorker is the process for work on GPUs, which only Linux has.
func ServeWorker() error { return errors.New("there are processes for GPUs on Linux only") }
