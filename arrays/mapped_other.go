//go:build !unix

package arrays

import "os"

// mapFile reads a file, where files are not mapped.
func mapFile(path string) (data []byte, unmap func(), err error) {
	data, err = os.ReadFile(path)
	return data, func() {}, err
}
