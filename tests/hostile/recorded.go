package main

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// root is the directory of the project's module, in or above the current one.
func root() string {
	dir, err := os.Getwd()
	must(err)
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// recorded are the files of a directory of the module that have one of the extensions.
func recorded(dir string, exts ...string) (all []input) {
	entries, err := os.ReadDir(filepath.Join(root(), dir))
	must(err)
	for _, e := range entries {
		ext := filepath.Ext(e.Name())
		if !slices.Contains(exts, ext) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root(), dir, e.Name()))
		must(err)
		all = append(all, input{name: e.Name(), data: data, ext: ext})
	}
	return all
}

// readable is without the files that are there to be refused.
func readable(all []input) []input {
	return slices.DeleteFunc(all, func(in input) bool { return in.name == "one.feather" || in.name == "refused.arrow" })
}

// arrowFile is a table as a file and not as a stream.
func arrowFile(names []string, columns []*arrays.Array) []byte {
	path := filepath.Join(scratch, "made.arrow")
	must(arrays.SaveArrow(path, names, columns))
	data, err := os.ReadFile(path)
	must(err)
	return data
}
