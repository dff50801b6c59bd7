//go:build !linux

package storage

import "os"

// uncache does nothing: reads may be served by the system's memory.
func uncache(*os.File) {}
