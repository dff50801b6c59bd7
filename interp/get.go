package interp

import (
	"context"
	"go/parser"
	"go/token"
	"io"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
)

// Source is a package that cells may import and that is interpreted from source which the program brings along.
type Source = modules.Source

// ErrNoGo is returned when modules are wanted on a machine without the go command.
var ErrNoGo = modules.ErrNoGo

// Modules returns the modules that Get has fetched and those that they need, as lines of a go.mod: path, blank,
// version. Those that the user's own go.mod requires in these versions are left out.
func (s *Session) Modules() []string {
	return s.modules.Modules()
}

// Importable reports whether cells can import path without a %get: it is installed, or a package of the user's own
// modules or of one that these require.
func (s *Session) Importable(path string) bool {
	return s.installed[path] || s.modules.Importable(path)
}

// Get makes a module's packages importable in later cells: "github.com/google/uuid@v1.6.0", also @latest, a package of
// a module, or no version for the one that the user's go.mod requires, or that is in use already, or else the newest.
// Everything that is fetched comes through the go command, which keeps it in its module cache; its messages go to
// progress, nil for none. When ctx ends, so does the command. A directory, as "./dir", is added as a module of the
// user's own; see GetDir.
//
// Packages are interpreted from their source, so they must be Go alone. What needs cgo cannot be imported; a function
// written in assembly panics when it is called.
func (s *Session) Get(ctx context.Context, query string, progress io.Writer) error {
	query = strings.TrimSpace(query)
	if IsDir(query) {
		_, err := s.GetDir(query)
		return err
	}
	f, err := s.modules.Fetch(ctx, query, progress)
	if err != nil {
		return err
	}
	s.useFetched(f)
	return nil
}

// useFetched makes known to cells what the go command has found. What is known of the documentation of these packages
// is forgotten. A package that was asked for is usable without an import line, as the standard library is.
func (s *Session) useFetched(f *modules.Fetched) {
	s.mu.Lock() // no cell is being checked
	defer s.mu.Unlock()
	for _, p := range s.modules.Use(f) {
		s.assistant.ForgetPackage(p)
	}
	if name := f.Name(); name != "" && s.auto[name] == "" {
		s.auto[name] = f.Path
	}
}

// GetDir makes the packages of a directory importable in later cells, and those below it, and returns the import path
// of the directory. It is the path that its module gives it, when there is a go.mod in it or above it; otherwise its
// own name.
func (s *Session) GetDir(dir string) (importPath string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	importPath, name, err := s.modules.AddDir(dir)
	if err == nil && name != "" && s.auto[name] == "" {
		s.auto[name] = importPath // as for packages that are fetched
	}
	return importPath, err
}

// Sums returns the checksums of the modules that Get has fetched, as lines of a go.sum: path, version, checksum.
func (s *Session) Sums() []string { return s.modules.Sums() }

// ExpectSums adds checksums, as Sums returns them: Get refuses a module that has come to be another.
func (s *Session) ExpectSums(lines []string) { s.modules.ExpectSums(lines) }

// Missing returns the packages that a cell would need and that no module of the session has: those that it imports
// itself and those that packages of the user's own import, as long as they can be of modules.
func (s *Session) Missing(src string) []string { return s.modules.Missing(Imports(src)) }

// IsDir reports whether a query of [Session.Get] is a directory: it is absolute, or begins with a dot or a tilde.
func IsDir(query string) bool { return modules.IsDir(query) }

// CachedModules lists what [Session.Get] could get without a network: the modules of Go's module cache whose paths
// begin with prefix, with their versions.
func CachedModules(prefix string) []string { return modules.Cached(prefix) }

// Imports returns the paths that a cell imports.
func Imports(src string) (paths []string) {
	if !strings.Contains(src, "import") {
		return nil
	}
	pieces, bad := syntax.Split(src)
	if bad != nil {
		return nil
	}
	for _, p := range pieces {
		if p.Kind != syntax.KindImport {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src[p.Start:p.End], parser.ImportsOnly)
		if file == nil {
			continue
		}
		for _, imp := range file.Imports {
			if path, err := strconv.Unquote(imp.Path.Value); err == nil {
				paths = append(paths, path)
			}
		}
	}
	return paths
}
