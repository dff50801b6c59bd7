//go:build nocuda || !(linux || freebsd || windows)

package cudabackend

import "errors"

func (d *driver) load() (string, error) {
	return "", errors.New("this program was built without CUDA (build tag nocuda, or a system that NVIDIA has no driver for)")
}

func (d *driver) call(function, ...uintptr) Result { return 0 } // nobody comes here without a library
