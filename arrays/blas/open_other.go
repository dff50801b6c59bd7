//go:build nocuda || !((linux || freebsd || darwin) && (amd64 || arm64))

package blas

import (
	"fmt"
	"runtime"
)

const mostArguments = 0

func open(string) (*library, error) {
	return nil, fmt.Errorf("this program for %s/%s opens no libraries: it is the static one (build tag nocuda), or purego does not know the system", runtime.GOOS, runtime.GOARCH)
}

func invoke(uintptr, []uintptr) {}
