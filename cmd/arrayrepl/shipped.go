package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// The notebooks of a clone are read, run and changed as copies beside them, so that the clone stays clean and an update
// of it never meets the reader's own work. git leaves the copies alone, and links from notebooks to the documentation
// lead to the same places.
const (
	shippedNotebooks = "notebooks"
	ownNotebooks     = "my-notebooks"
)

// isShipped reports whether dir is the directory of notebooks of a clone of this project.
func isShipped(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil || filepath.Base(dir) != shippedNotebooks {
		return false
	}
	mod, err := budget.ReadFile(filepath.Join(filepath.Dir(dir), "go.mod"), "go.mod", budget.SmallFile)
	return err == nil && bytes.HasPrefix(mod, []byte("module "+module+"\n"))
}

// ownCopies copies the shipped notebooks in dir, and what they read, to the directory that it returns. What is there
// already stays as it is.
func ownCopies(dir string) (string, error) {
	own := filepath.Join(filepath.Dir(filepath.Clean(dir)), ownNotebooks)
	return own, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		to := filepath.Join(own, name)
		switch {
		case d.IsDir() && d.Name() == ".ipynb_checkpoints":
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(to, 0o755)
		}
		if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return copyFile(to, path, 0o644)
	})
}
