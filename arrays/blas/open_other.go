//go:build !((linux || freebsd || darwin) && (amd64 || arm64))

package blas

import (
	"fmt"
	"runtime"
)

const mostArguments = 0

func open(string) (*library, error) {
	return nil, fmt.Errorf("libraries are not opened on %s/%s", runtime.GOOS, runtime.GOARCH)
}

func invoke(uintptr, []uintptr) {}
