//go:build !nocuda

package cudabackend

import (
	"fmt"
	"syscall"
)

// load opens the driver's library, binds its functions and returns its path.
func (d *driver) load() (string, error) {
	const path = "nvcuda.dll" // the driver's installer puts it into the system's folder
	library, err := syscall.LoadLibrary(path)
	if err != nil {
		return "", fmt.Errorf("there is no NVIDIA driver here (%s: %w)", path, err)
	}
	return path, d.bind(path, func(name string) uintptr {
		address, err := syscall.GetProcAddress(library, name)
		if err != nil {
			return 0
		}
		return address
	})
}

//go:uintptrescapes
func (d *driver) call(f function, args ...uintptr) Result {
	r, _, _ := syscall.SyscallN(d.address[f], args...)
	return Result(int32(r))
}
