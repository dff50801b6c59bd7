package storage

import (
	"os"
)

// Temporary returns a new file of so many bytes that nobody else sees, and that is gone when it is closed: in dir, or
// where that takes none, where the system has such files. It takes room on the disk as it is written.
func Temporary(dir string, bytes int64) (*Source, error) {
	const name = ".arrayrepl-*.spill"
	f, err := os.CreateTemp(dir, name)
	if err != nil {
		if f, err = os.CreateTemp("", name); err != nil {
			return nil, err
		}
	}
	_ = os.Remove(f.Name()) // where that is not possible while it is open, Close does it
	to := On(f.Name(), unnamed{Pread{f}}, true)
	to.SetSize(bytes)
	return Range(to, 0, bytes, nil)
}

// unnamed is a file that goes when it is closed.
type unnamed struct{ Pread }

// Close closes the file and removes what may be left of it.
func (u unnamed) Close() error {
	err := u.Pread.Close()
	_ = os.Remove(u.Pread.File.Name())
	return err
}

// IsTemporary reports whether s is of a file that [Temporary] made: results that are too large for memory are there.
func (s *Source) IsTemporary() bool {
	if s.file == nil {
		return false
	}
	_, is := s.file.backing.(unnamed)
	return is
}
