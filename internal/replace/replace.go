// Package replace writes files that are there whole or as they were before.
package replace

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Bytes makes data the content of the file path, as [File] does.
func Bytes(path string, data []byte) error {
	return File(path, false, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// File has write make the file path. The text goes to a temporary file beside it, which takes its name and permissions
// when all is written; of a symbolic link, the file that it names. A new file has the permissions that the process's
// umask leaves. What is not a regular file, as a pipe or a device, is written to as it is. With durable the bytes have
// reached the disk when File returns.
//
// A process that is killed leaves its temporary file; a later File in the same directory removes it, in a directory of
// many files not at once.
func File(path string, durable bool, write func(io.Writer) error) error {
	return whole(path, durable, func(f *os.File) error { return buffered(f, write) }, write)
}

// InPlaces is [File] for who writes in any order: write gets the file itself. A pipe or a device is an error.
func InPlaces(path string, write func(*os.File) error) error {
	return whole(path, false, write, nil)
}

// whole has one of the functions make the file: inOrder what is not a regular file.
func whole(path string, durable bool, write func(*os.File) error, inOrder func(io.Writer) error) (err error) {
	asked := path
	defer func() { err = named(err, asked) }()
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode, old := os.FileMode(0o666), false
	info, err := os.Stat(path)
	switch {
	case err != nil: // a new file
	case info.Mode().IsRegular():
		mode, old = info.Mode().Perm(), true
	case !info.IsDir() && inOrder == nil:
		return &fs.PathError{Op: "write", Path: path, Err: errors.New("it is a pipe or a device, which can be written in order alone")}
	case !info.IsDir():
		return direct(path, inOrder)
	}
	removeLeft(path)
	f, err := temporary(path, mode)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // of no consequence once it is renamed
	err = write(f)
	if err == nil && durable {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && old {
		err = os.Chmod(f.Name(), mode) // the umask may have taken some
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// named is an error of the system with the path that was asked for, in the place of the temporary file's.
func named(err error, path string) error {
	switch of := err.(type) {
	case *fs.PathError:
		return &fs.PathError{Op: of.Op, Path: path, Err: of.Err}
	case *os.LinkError:
		return &fs.PathError{Op: of.Op, Path: path, Err: of.Err}
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
