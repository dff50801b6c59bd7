//go:build !unix

package kernel

import "os"

// ownFile returns f: cells that close it are not heard any more.
func ownFile(f *os.File) (*os.File, error) { return f, nil }
