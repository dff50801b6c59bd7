//go:build nocuda || !(linux || darwin || freebsd)

package compiler

import "errors"

var errNone = errors.New("this program was built without CUDA (build tag nocuda, or a system where its libraries cannot be opened): CUDA C cannot be compiled")

// Version returns the version of NVRTC and the path of its library.
func Version() (version, path string, err error) { return "", "", errNone }

// Compile compiles a source.
func Compile(name, source string, flags []string, poll func()) (ptx, log string, err error) {
	return "", "", errNone
}
