package arrays

import (
	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/mmap"
)

// mapFile maps a file into memory, or reads it where it cannot be mapped. What is written there is seen by this program
// alone. done says that no more is read, and whether arrays lie in the bytes.
func mapFile(path string) (data []byte, done func(lies bool), err error) {
	f, data, err := mmap.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if f == nil {
		data, err = budget.ReadFileThrough(path, "the file", 0, polled)
		return data, func(bool) {}, err
	}
	return data, func(lies bool) {
		if lies {
			f.Escape()
		} else {
			_ = f.Close()
		}
	}, nil
}
