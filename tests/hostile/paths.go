package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// pathMemory is what a reader may take at once for what has no end.
const pathMemory = 64 << 20

// pathCases are inputs that are not files, or not those that they seem to be. Their data is what stands at the path.
func (f *format) pathCases() []input {
	if f.paths == nil {
		return nil
	}
	ext := f.seeds()[0].ext
	made := func(name string, make func(path string) error) input {
		return input{name: "path: " + name, ext: ext, must: clear, most: f.base + 4*pathMemory, data: []byte(name), path: func() (string, error) {
			path := filepath.Join(scratch, "odd"+ext)
			if err := os.RemoveAll(path); err != nil {
				return "", err
			}
			return path, make(path)
		}}
	}
	all := []input{
		made("nothing", func(string) error { return nil }),
		made("a directory", func(path string) error { return os.Mkdir(path, 0o700) }),
		made("an empty file", func(path string) error { return os.WriteFile(path, nil, 0o600) }),
	}
	if runtime.GOOS == "linux" {
		link := func(to string) func(string) error { return func(path string) error { return os.Symlink(to, path) } }
		all = append(all, made("a link to itself", link("odd"+ext)), made("a link to nothing", link("gone")), made("a device without an end", link("/dev/zero")),
			made("the end of all devices", link("/dev/null")), made("a sparse file of 1 TB", func(path string) error {
				if err := os.WriteFile(path, f.seeds()[0].data, 0o600); err != nil {
					return err
				}
				return os.Truncate(path, 1<<40)
			}))
	}
	return all
}
