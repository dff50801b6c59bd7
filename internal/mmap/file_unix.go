//go:build unix

package mmap

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Open maps the file path, whose bytes it returns: what is written to them is seen by this program alone. The file is
// nil, and the bytes nil, of what has no bytes to map: an empty file, a pipe, a device.
func Open(path string) (*File, []byte, error) {
	from, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	f, data, err := Map(from)
	if f == nil {
		from.Close()
	}
	return f, data, err
}

// Map is Open of a file that is open, which is closed with the mapping. Where there is none it stays its caller's.
func Map(from *os.File) (*File, []byte, error) {
	info, err := from.Stat()
	if err != nil || info.Size() == 0 || !info.Mode().IsRegular() {
		return nil, nil, err
	}
	data, err := unix.Mmap(int(from.Fd()), 0, int(info.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: from.Name(), Err: err}
	}
	f := &File{path: from.Name(), data: data, base: uintptr(unsafe.Pointer(unsafe.SliceData(data))), size: info.Size(), from: from}
	f.add()
	return f, data, nil
}

// span is how many addresses the mapping takes: it ends with a page.
func (f *File) span() uintptr {
	page := uintptr(os.Getpagesize())
	return (uintptr(f.size) + page - 1) / page * page
}

func (f *File) unmap() { _ = unix.Munmap(f.data) }

// cover puts memory that cannot be read in the place of the file, which is let go.
func (f *File) cover() error {
	_, err := unix.MmapPtr(-1, 0, unsafe.Pointer(unsafe.SliceData(f.data)), f.span(), unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_FIXED)
	if err != nil {
		return &os.PathError{Op: "close", Path: f.path, Err: err}
	}
	return nil
}
