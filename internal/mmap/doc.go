// Package mmap has files that lie in memory: whose they are, until when, and what it means when one of them is cut
// short, or cannot be read, while somebody works with it.
//
// [Open] maps a file. Who keeps slices of it says so with [File.Retain] and [File.Release], or with [File.Escape] where
// nobody will know when they are gone; the last release takes the mapping away. [File.Close] takes it away at once: who
// still has a slice then gets a fault, and never other memory.
//
// A read of what the file does not have, or has no longer, is a fault of memory. [Read] is the one place where it
// becomes an error, a *[Fault] that names the file and the offset: goroutines that may read mapped files do so within
// it. The goroutine of a cell stops at a fault by itself, and [Reason] says what it was.
package mmap
