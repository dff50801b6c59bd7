// Package replace writes files that are there whole or as they were before.
package replace

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
)

// File has write make the file path. The text goes to a temporary file beside it, which takes its name and permissions when all
// is written; of a symbolic link, the file that it names. What is no regular file, as a pipe or a device, is written to as it
// is. With durable the bytes have reached the disk when File returns.
func File(path string, durable bool, write func(io.Writer) error) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := os.FileMode(0o644)
	info, err := os.Stat(path)
	switch {
	case err != nil: // a new file
	case info.Mode().IsRegular():
		mode = info.Mode().Perm()
	case !info.IsDir():
		return direct(path, write)
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // of no consequence once it is renamed
	err = buffered(f, write)
	if err == nil && durable {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(f.Name(), mode)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

func direct(path string, write func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = buffered(f, write)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func buffered(f io.Writer, write func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
