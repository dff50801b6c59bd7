//go:build !nocuda && (darwin || freebsd)

package compiler

// limitMemory does nothing: these systems have no limit that counts what a process has mapped.
func limitMemory() {}
