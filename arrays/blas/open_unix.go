//go:build !nocuda && (linux || freebsd || darwin) && (amd64 || arm64)

package blas

import "github.com/ebitengine/purego"

// mostArguments is how many arguments purego passes.
const mostArguments = 15

func open(name string) (*library, error) {
	handle, err := purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, err
	}
	return bind(func(name string) uintptr {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return 0
		}
		return address
	})
}

func invoke(address uintptr, args []uintptr) { purego.SyscallN(address, args...) }
