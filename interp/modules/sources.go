package modules

import (
	"go/parser"
	"go/token"
	"io/fs"

	"path/filepath"
)

// Source is a package that cells may import and that is interpreted from source which the program brings along.
type Source struct {
	Files fs.FS // the folder of the package: its Go files, no tests
	// Imports says what the import paths in the files stand for, where they are other ones for cells.
	Imports map[string]string
}

// addSources makes the packages importable whose source the program brings, as those of fetched modules are.
func (m *Set) addSources() error {
	for p, source := range m.sources {
		names, err := fs.Glob(source.Files, "*.go")
		if err != nil || len(names) == 0 {
			return &fs.PathError{Op: "interp: the source of package", Path: p, Err: fs.ErrNotExist}
		}
		text, err := fs.ReadFile(source.Files, names[0])
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), names[0], text, parser.PackageClauseOnly)
		if err != nil {
			return err
		}
		m.found[p] = &Package{
			ImportPath: p, Name: file.Name.Name, GoFiles: names, ImportMap: source.Imports,
			Module: &struct{ Path, Version, GoVersion string }{Path: p, GoVersion: goVersion},
		}
	}
	return nil
}

// ReadFile reads a file of a package.
func (m *Set) ReadFile(src *Package, name string) ([]byte, error) {
	if own, ok := m.sources[src.ImportPath]; ok && src.Dir == "" {
		return fs.ReadFile(own.Files, name)
	}
	return readSource(filepath.Join(src.Dir, name))
}
