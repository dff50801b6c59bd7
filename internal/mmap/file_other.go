//go:build !unix

package mmap

import "os"

// Open returns nil where files are not mapped.
func Open(path string) (*File, []byte, error) { return nil, nil, nil }

// Map returns nil where files are not mapped.
func Map(from *os.File) (*File, []byte, error) { return nil, nil, nil }

func (f *File) span() uintptr { return uintptr(f.size) }
func (f *File) unmap()        {}
func (f *File) cover() error  { return nil }
