//go:build !nocuda && (linux || freebsd)

package cudabackend

import (
	"cmp"
	"fmt"
	"os"
	"runtime"

	"github.com/ebitengine/purego"
)

// libraryVariable names a driver library to open in place of the system's.
const libraryVariable = "ARRAYREPL_CUDA_DRIVER"

// load opens the driver's library, binds its functions and returns its path.
func (d *driver) load() (string, error) {
	runtime.LockOSThread() // the text of a failure is kept for the thread that it was on
	defer runtime.UnlockOSThread()
	paths := []string{"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"}
	if path := os.Getenv(libraryVariable); path != "" {
		paths = []string{path}
	}
	var missing error // of the usual place
	for _, path := range paths {
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			missing = cmp.Or(missing, err)
			continue
		}
		return path, d.bind(path, func(name string) uintptr {
			address, err := purego.Dlsym(handle, name)
			if err != nil {
				return 0
			}
			return address
		})
	}
	return "", fmt.Errorf("there is no NVIDIA driver here (%w)", missing)
}

//go:uintptrescapes
func (d *driver) call(f function, args ...uintptr) Result {
	r, _, _ := purego.SyscallN(d.address[f], args...)
	return Result(int32(r))
}
