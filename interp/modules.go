package interp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	gopath "path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/arrayrepl/arrayrepl/interp/docs"
)

// modules are the third-party modules that a session can import from. The go command resolves and fetches them, by the
// go.mod and go.sum of a module that exists for the session alone; so minimal version selection is Go's own.
type modules struct {
	mod, sum []byte                   // that module's files; nil before the first Get
	found    map[string]*moduleSource // packages by import path, with all that they import
	paths    []string                 // of the modules
	names    map[string]string        // import paths of the packages of fetched modules, with the packages' names
	made     map[types.Type]bool      // types whose run-time forms exist, with their methods
	progress io.Writer                // where the go command's messages go; nil means standard error
}

func (m *modules) init() {
	if m.found == nil {
		m.found, m.names, m.made = map[string]*moduleSource{}, map[string]string{}, map[types.Type]bool{}
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
	EmbedFiles []string
	ImportMap  map[string]string
	Module     *struct{ Path, Version, GoVersion string }
	Error      *struct{ Err string }

	IgnoredGoFiles []string
	unit           *Unit // once it is loaded
	loading        bool
	failed         error
}

// ErrNoGo is returned when modules are wanted on a machine without the go command.
var ErrNoGo = errors.New("modules are fetched by the go command, which is not in the PATH: install Go from https://go.dev/dl")

// pureTags select the parts of packages that need neither assembly nor functions of Go's runtime, where packages offer them.
const pureTags = "purego,noasm,arrow_json_stdlib"

// pureArch is an architecture of 64 bits, little-endian as those that Go programs mostly run on, for which few packages have
// assembly: what a package offers there is its plain Go. It is asked only for packages whose files need assembly otherwise.
const pureArch = "mips64le"

// Modules returns the modules that Get has fetched and those that they need, as lines of a go.mod: path, blank, version.
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

// Installed reports whether cells can import path without fetching anything.
func (s *Session) Installed(path string) bool { return s.installed[path] }

// Get makes a module's packages importable in later cells: "github.com/google/uuid@v1.6.0", also @latest, a package of a
// module, or no version for one that is in use already or else the newest. Everything that is fetched comes through the go
// command, which keeps it in its module cache; its messages go to progress, nil for none. When ctx ends, so does the command.
//
// Packages are interpreted from their source, so they must be Go alone. What needs cgo cannot be imported; a function
// written in assembly panics when it is called.
func (s *Session) Get(ctx context.Context, query string, progress io.Writer) error {
	query = strings.TrimSpace(query)
	path, _, _ := strings.Cut(query, "@")
	if path == "" || strings.ContainsAny(query, " \t\n\"'`") || strings.HasPrefix(path, "-") {
		return fmt.Errorf("%q is no module: write a path and, if you like, a version, as in github.com/google/uuid@v1.6.0", query)
	}
	if s.installed[path] {
		return fmt.Errorf("package %s needs no fetching: import it", path)
	}
	s.mu.Lock()
	mod, sum := s.modules.mod, s.modules.sum
	s.mu.Unlock()
	g, err := newGoCommand(mod, sum, progress)
	if err != nil {
		return err
	}
	defer g.close()
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
	if mod, sum, err = g.files(); err != nil {
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

// add keeps what is new: a package that was loaded stays as it is, since values of its types may live. What is known of the
// documentation of the packages is forgotten.
func (m *modules) add(found map[string]*moduleSource, known map[string]*docs.Package) {
	for p, src := range found {
		delete(known, p)
		if old := m.found[p]; old == nil || old.unit == nil {
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
func (m *modules) unit(pkg *types.Package) *Unit {
	if src := m.found[pkg.Path()]; src != nil && src.unit != nil && src.unit.Pkg == pkg {
		return src.unit
	}
	return nil
}

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

// resolve finds the packages that a cell is about to import from modules, before the cell is compiled: this may fetch, takes
// tenths of a second, and can be interrupted.
func (s *Session) resolve(ctx context.Context, cell int, src string) *Error {
	s.mu.Lock()
	mod, sum, progress := s.modules.mod, s.modules.sum, s.modules.progress
	var want []string
	if mod != nil {
		for _, p := range Imports(src) {
			if !s.installed[p] && !s.modules.has(p) && s.modules.module(p) != "" {
				want = append(want, p)
			}
		}
	}
	s.mu.Unlock()
	if len(want) == 0 {
		return nil
	}
	if progress == nil {
		progress = os.Stderr
	}
	g, err := newGoCommand(mod, sum, progress)
	if err == nil {
		defer g.close()
		var found map[string]*moduleSource
		if found, err = g.packages(ctx, want...); err == nil {
			if mod, sum, err = g.files(); err == nil {
				s.mu.Lock()
				s.modules.mod, s.modules.sum = mod, sum
				s.modules.add(found, s.documented)
				s.mu.Unlock()
				return nil
			}
		}
	}
	if ctx.Err() != nil {
		return &Error{Kind: Interrupted, Message: "interrupted while packages were looked up"}
	}
	return &Error{Kind: CompileError, Message: err.Error()}
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

// goCommand runs the go command in a folder that has the session's module.
type goCommand struct {
	dir      string
	progress io.Writer
}

func newGoCommand(mod, sum []byte, progress io.Writer) (*goCommand, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, ErrNoGo
	}
	dir, err := os.MkdirTemp("", "arrayrepl-modules-")
	if err != nil {
		return nil, err
	}
	g := &goCommand{dir: dir, progress: progress}
	if mod == nil {
		mod = fmt.Appendf(nil, "module session\n\ngo %s\n", goVersion)
	}
	err = os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o644)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "go.sum"), sum, 0o644)
	}
	if err != nil {
		g.close()
		return nil, err
	}
	return g, nil
}

// goVersion is the language of cells.
const goVersion = "1.26"

func (g *goCommand) close() { os.RemoveAll(g.dir) }

// files returns the module's files as the commands have left them.
func (g *goCommand) files() (mod, sum []byte, err error) {
	if mod, err = os.ReadFile(filepath.Join(g.dir, "go.mod")); err == nil {
		sum, err = os.ReadFile(filepath.Join(g.dir, "go.sum"))
	}
	return mod, sum, err
}

// run runs a go command and returns what it prints. Its error is what it says on standard error.
func (g *goCommand) run(ctx context.Context, args ...string) ([]byte, error) {
	return g.runFor(ctx, "", args...)
}

func (g *goCommand) runFor(ctx context.Context, arch string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = g.dir
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if runtime.GOOS == "windows" {
		cmd.Cancel = cmd.Process.Kill
	}
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off", "GO111MODULE=on", "CGO_ENABLED=0", "GIT_TERMINAL_PROMPT=0")
	if arch != "" {
		cmd.Env = append(cmd.Env, "GOARCH="+arch)
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if g.progress != nil {
		cmd.Stderr = io.MultiWriter(&said, g.progress)
	}
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("go %s was interrupted: %w", args[0], ctx.Err())
		}
		return nil, fmt.Errorf("go %s: %s", args[0], errorText(said.String(), err))
	}
	return out.Bytes(), nil
}

// errorText is what the go command says that is no progress.
func errorText(said string, err error) string {
	var lines []string
	for line := range strings.Lines(said) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "go: downloading") && !strings.HasPrefix(line, "go: added") {
			lines = append(lines, strings.TrimPrefix(line, "go: "))
		}
	}
	if len(lines) == 0 {
		return err.Error()
	}
	return strings.Join(lines, "\n")
}

// packages lists packages and all that they import, the standard library left out.
func (g *goCommand) packages(ctx context.Context, paths ...string) (map[string]*moduleSource, error) {
	found, err := g.list(ctx, "", paths)
	if err != nil {
		return nil, err
	}
	assembly := false
	for _, p := range found {
		assembly = assembly || len(p.SFiles) > 0
	}
	if !assembly {
		return found, nil
	}
	plain, err := g.list(ctx, pureArch, paths)
	if err != nil {
		return found, nil // not every system has the architecture
	}
	for path, p := range plain {
		// A file for that architecture alone would be wrong here, but for what only looks for features of the processor.
		native := func(name string) bool { return strings.Contains(name, "mips") && path != "golang.org/x/sys/cpu" }
		old := found[path]
		if old == nil || len(old.SFiles) > 0 && len(p.SFiles) == 0 && len(p.GoFiles) > 0 && !slices.ContainsFunc(p.GoFiles, native) {
			found[path] = p
		}
	}
	return found, nil
}

// packageNames lists the modules, and the packages of the module that has the package path, or is it, with their names.
func (g *goCommand) packageNames(ctx context.Context, path string) (modulePaths []string, names map[string]string, err error) {
	out, err := g.run(ctx, "list", "-m", "-f", "{{.Path}} {{.Dir}}", "all")
	if err != nil {
		return nil, nil, err
	}
	dirs := map[string]string{}
	for line := range strings.Lines(string(out)) {
		m, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		modulePaths = append(modulePaths, m)
		dirs[m] = dir
	}
	module := (&modules{paths: modulePaths}).module(path)
	root := dirs[module]
	names = map[string]string{}
	if root == "" {
		return modulePaths, names, nil
	}
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if base := d.Name(); file != root && (base == "internal" || base == "testdata" || base == "vendor" || base[0] == '.' || base[0] == '_') {
				return fs.SkipDir
			}
			return err
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		importPath := gopath.Join(module, filepath.ToSlash(rel))
		if names[importPath] != "" {
			return nil
		}
		if f, _ := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly); f != nil && f.Name.Name != "main" {
			names[importPath] = f.Name.Name
		}
		return nil
	})
	return modulePaths, names, err
}

func (g *goCommand) list(ctx context.Context, arch string, paths []string) (map[string]*moduleSource, error) {
	args := []string{"list", "-deps", "-e", "-tags=" + pureTags,
		"-json=ImportPath,Name,Dir,Standard,GoFiles,SFiles,IgnoredGoFiles,Imports,ImportMap,EmbedFiles,Module,Error", "--"}
	out, err := g.runFor(ctx, arch, append(args, paths...)...)
	if err != nil {
		return nil, err
	}
	found := map[string]*moduleSource{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(moduleSource)
		if err := dec.Decode(p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Standard {
			continue
		}
		if slices.Contains(paths, p.ImportPath) && p.Error != nil && p.Module == nil {
			return nil, errors.New(errorText(p.Error.Err, errors.New("package "+p.ImportPath+" cannot be listed")))
		}
		found[p.ImportPath] = p
	}
	return found, nil
}
