//go:build nocuda || !(linux || freebsd || windows)

package cudabackend

import (
	"errors"
	"runtime"
)

func (d *driver) load() (string, error) {
	switch runtime.GOOS {
	case "linux", "freebsd", "windows":
		return "", errors.New("this program is the static one (build tag nocuda), which cannot open NVIDIA's driver; the other one can, where there is glibc")
	}
	return "", errors.New("NVIDIA has no driver for " + runtime.GOOS)
}

func (d *driver) call(function, ...uintptr) Result { return 0 } // nobody comes here without a library
