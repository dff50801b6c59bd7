//go:build unix

package arrays

import (
	"os"
	"syscall"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// mapFile maps a file into memory. What is written there is seen by this program alone.
func mapFile(path string) (data []byte, unmap func(), err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close() // the mapping stays
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	if info.Size() == 0 || !info.Mode().IsRegular() { // pipes and the like have no bytes to map
		data, err = budget.ReadFile(path, "the file", 0)
		return data, func() {}, err
	}
	data, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: path, Err: err}
	}
	return data, func() { _ = syscall.Munmap(data) }, nil
}
