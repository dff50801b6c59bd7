package storage

import "os"

func systemBacking(disk *os.File, o Options) (Backing, string, error) {
	return Pread{disk}, "todo", nil
}
