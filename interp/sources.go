package interp

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

// addSources makes the packages of Options.Sources importable, as those of fetched modules are. Those names that no
// other package has can be used without an import.
func (s *Session) addSources() error {
	s.modules.init()
	for p, source := range s.opts.Sources {
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
		s.modules.found[p] = &moduleSource{
			ImportPath: p, Name: file.Name.Name, GoFiles: names, ImportMap: source.Imports,
			Module: &struct{ Path, Version, GoVersion string }{Path: p, GoVersion: goVersion},
		}
		if s.auto[file.Name.Name] == "" {
			s.auto[file.Name.Name] = p
		}
	}
	return nil
}

// readFile reads a file of a package.
func (s *Session) readFile(src *moduleSource, name string) ([]byte, error) {
	if own, ok := s.opts.Sources[src.ImportPath]; ok && src.Dir == "" {
		return fs.ReadFile(own.Files, name)
	}
	return readSource(filepath.Join(src.Dir, name))
}
