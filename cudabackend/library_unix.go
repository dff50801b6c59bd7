//go:build !nocuda && (linux || freebsd)

package cudabackend

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/ebitengine/purego"

	"github.com/arrayrepl/arrayrepl/internal/nvidiawheel"
)

// load opens the first of the library's files that has all functions.
func (l *toolkitLibrary) load() (map[string]uintptr, error) {
	var paths []string
	switch dir := os.Getenv(LibrariesVariable); dir {
	case "off":
		return nil, fmt.Errorf("%s is not used: %s is off", l.title, LibrariesVariable)
	case "":
		paths = nvidiawheel.Libraries(l.names, l.wheels...)
	default:
		for _, name := range l.names {
			paths = append(paths, filepath.Join(dir, name))
		}
	}
	runtime.LockOSThread() // the text of a failure is kept for the thread that it was on
	defer runtime.UnlockOSThread()
	why := ""
	for _, path := range paths {
		if filepath.IsAbs(path) {
			if _, err := os.Stat(path); err != nil {
				continue
			}
		}
		handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
		if err != nil {
			if filepath.IsAbs(path) {
				why = fmt.Sprintf(" (%v)", err)
			}
			continue
		}
		address, missing := map[string]uintptr{}, ""
		for _, name := range l.calls {
			if address[name], err = purego.Dlsym(handle, name); err != nil {
				missing = name
			}
		}
		if missing == "" {
			return address, nil
		}
		why = fmt.Sprintf(" (%s has no function %s)", path, missing)
	}
	return nil, fmt.Errorf("%s was not found%s", l.title, why)
}

//go:uintptrescapes
func (l *toolkitLibrary) call(name string, args ...uintptr) int {
	r, _, _ := purego.SyscallN(l.address[name], args...)
	return int(int32(r))
}
