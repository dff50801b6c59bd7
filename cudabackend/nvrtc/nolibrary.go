//go:build nocuda || !(linux || darwin || freebsd)

package nvrtc

import "errors"

var errNone = errors.New("this program was built without CUDA (build tag nocuda, or a system where its libraries cannot be opened): CUDA C cannot be compiled")

// Version returns the version of NVRTC and the path of its library.
func Version() (version, path string, err error) { return "", "", errNone }

// Compile compiles CUDA C to PTX. Its error is a *CompileError where the source is wrong.
func Compile(source string, o Options) (string, error) { return "", errNone }
