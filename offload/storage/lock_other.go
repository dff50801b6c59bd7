//go:build !unix

package storage

import "os"

// lockFile does nothing: here nobody is told of other programs that write.
func lockFile(*os.File) error { return nil }
