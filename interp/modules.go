package interp

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/arrayrepl/arrayrepl/interp/docs"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// modules are the modules that a session can import from, beside those that are compiled into the program: those of the
// user's own, and those of others. The go command resolves and fetches the latter, by the go.mod and go.sum of a module
// that exists for the session alone, with what the user's go.mod says; so minimal version selection is Go's own.
type modules struct {
	mod, sum []byte                          // that module's files; nil before they are needed
	found    map[string]*moduleSource        // packages by import path, with all that they import
	paths    []string                        // of the modules that were fetched
	names    map[string]string               // import paths of the packages of fetched modules, with the packages' names
	made     map[types.Type]bool             // types whose run-time forms exist, with their methods
	units    map[*types.Package]*engine.Unit // those of packages that have been loaded, also before their files changed
	progress io.Writer                       // where the go command's messages go; nil means standard error

	own    *workspace    // the user's modules; nil before they are needed
	ownErr error         // why they cannot be read
	added  []localModule // by Get
	visit  int           // counts walks over the packages
}

func (m *modules) init() {
	if m.found == nil {
		m.found, m.names, m.made = map[string]*moduleSource{}, map[string]string{}, map[types.Type]bool{}
		m.units = map[*types.Package]*engine.Unit{}
	}
}

// moduleSource is a package as the go command lists it.
type moduleSource struct {
	ImportPath string
	Name       string
	Dir        string
	Standard   bool
	GoFiles    []string
	SFiles     []string // assembly
	Imports    []string
	EmbedFiles []string // or patterns of such
	ImportMap  map[string]string
	Module     *struct{ Path, Version, GoVersion string }
	Error      *struct{ Err string }

	IgnoredGoFiles []string
	unit           *engine.Unit // once it is loaded
	loading        bool
	failed         error

	local   *localModule // of a package that was listed without the go command, the module
	sum     string       // of its files
	visited int
}

// ErrNoGo is returned when modules are wanted on a machine without the go command.
var ErrNoGo = errors.New("modules are fetched by the go command, which is not in the PATH: install Go from https://go.dev/dl")

// pureTags select the parts of packages that need neither assembly nor functions of Go's runtime, where packages offer
// them.
const pureTags = "purego,noasm,arrow_json_stdlib"

// pureArch is an architecture of 64 bits, little-endian as those that Go programs mostly run on, for which few packages
// have assembly: what a package offers there is its plain Go. It is asked only for packages whose files need assembly
// otherwise.
const pureArch = "mips64le"

// safeTag selects, in some of these packages, what does not borrow functions of Go's runtime.
const safeTag = "safe"

// Modules returns the modules that Get has fetched and those that they need, as lines of a go.mod: path, blank,
// version. Those that the user's own go.mod requires in these versions are left out.
func (s *Session) Modules() (lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	file, err := modfile.ParseLax("go.mod", s.modules.mod, nil)
	if err != nil {
		return nil
	}
	for _, r := range file.Require {
		lines = append(lines, r.Mod.Path+" "+r.Mod.Version)
	}
	return lines
}

// Importable reports whether cells can import path without a %get: it is installed, or a package of the user's own
// modules or of one that these require.
func (s *Session) Importable(path string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	src, err := s.ownModules().localPackage(path)
	return s.installed[path] || err == nil && src != nil || s.modules.has(path) || s.modules.own.required(path).Path != ""
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
	path, version, _ := strings.Cut(query, "@")
	if path == "" || strings.ContainsAny(query, " \t\n\"'`") || strings.HasPrefix(path, "-") {
		return fmt.Errorf("%q is not a module: write a path and, if you like, a version, as in github.com/google/uuid@v1.6.0; or a directory, as in ./geometry", query)
	}
	if s.installed[path] {
		return fmt.Errorf("package %s needs no fetching: import it", path)
	}
	g, err := s.goCommand(progress)
	if err != nil {
		return err
	}
	defer g.close()
	if required := g.own.required(path); version == "" && required.Path != "" {
		query = path + "@" + required.Version
	}
	if dir, m := g.own.find(path); m != nil && version == "" {
		if dir != "" {
			return fmt.Errorf("package %s needs no fetching: it is in %s; import it", path, engine.ShortPath(dir))
		}
		return fmt.Errorf("%s would be in the module %s, which is your own (%s) and has no such package", path, m.path, engine.ShortPath(m.dir))
	}
	if _, err := g.run(ctx, "get", query); err != nil {
		return err
	}
	paths, names, err := g.packageNames(ctx, path)
	if err != nil {
		return err
	}
	found := map[string]*moduleSource{}
	if names[path] != "" {
		if found, err = g.packages(ctx, path); err != nil {
			return err
		}
	}
	mod, sum, err := g.files()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m := &s.modules
	m.init()
	m.mod, m.sum, m.paths, m.progress = mod, sum, paths, progress
	for p, name := range names {
		m.names[p] = name
		if s.auto[name] == "" && p == path {
			s.auto[name] = p // usable without an import line, as the standard library is
		}
	}
	m.add(found, s.documented)
	return nil
}

// add keeps what is new: a package that was loaded stays as it is, since values of its types may live, and one of the
// user's own is known already. What is known of the documentation of the packages is forgotten.
func (m *modules) add(found map[string]*moduleSource, known map[string]*docs.Package) {
	for p, src := range found {
		delete(known, p)
		if old := m.found[p]; old == nil || old.unit == nil && old.local == nil {
			m.found[p] = src
		}
	}
}

// module is the module that has the package path, "" when none has. (The go command would fetch one.)
func (m *modules) module(path string) (longest string) {
	for _, p := range m.paths {
		if (path == p || strings.HasPrefix(path, p+"/")) && len(p) > len(longest) {
			longest = p
		}
	}
	return longest
}

// has reports whether cells may import a path from a module.
func (m *modules) has(path string) bool { return m.found[path] != nil }

// unit is a package of a module that has been loaded, nil for others.
func (m *modules) unit(pkg *types.Package) *engine.Unit { return m.units[pkg] }

// remember notes which types a program has made.
func (m *modules) remember(ts []types.Type) {
	if m.found == nil {
		return
	}
	for _, t := range ts {
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() != nil && m.unit(n.Obj().Pkg()) != nil {
			m.made[t] = true
		}
	}
}

// Imports returns the paths that a cell imports.
func Imports(src string) (paths []string) {
	if !strings.Contains(src, "import") {
		return nil
	}
	pieces, bad := split(src)
	if bad != nil {
		return nil
	}
	for _, p := range pieces {
		if p.kind != kindImport {
			continue
		}
		file, _ := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src[p.start:p.end], parser.ImportsOnly)
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
