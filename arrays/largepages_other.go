//go:build !linux

package arrays

// inLargePages would ask the system to put b in larger pages: nothing here.
func inLargePages(b []byte) {}
