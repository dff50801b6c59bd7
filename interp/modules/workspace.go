package modules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// workspace is the modules of the user's own: that of the go.mod, or those of the go.work, above the directory of the
// session, what these replace by directories or have in a vendor directory, and what Get has added. Their packages are
// read where they are, without the go command; modules that they require are fetched in the versions that they ask for.
type workspace struct {
	file    string        // the go.mod or go.work that was found
	vendor  string        // the vendor directory, whose modules need no go command
	cells   string        // the import path that cells count as: it says which internal packages they may import
	modules []localModule // no two with the same path
	require []module.Version
	exclude []module.Version
	replace []*modfile.Replace // by other modules
	sums    []byte             // of the go.sum files
	version string             // of Go, the newest that a module asks for
}

// localModule is a module that is a directory.
type localModule struct {
	path, dir string
	goVersion string // "" when it does not say
	version   string // of one in a vendor directory
}

// findWorkspace reads the go.mod or go.work above dir, "" for none, and the modules of further directories.
func findWorkspace(dir string, more []localModule) (*workspace, error) {
	w := &workspace{}
	if dir != "" {
		if err := w.read(dir); err != nil {
			return nil, err
		}
	}
	for _, m := range more {
		if err := w.addModule(m); err != nil {
			return nil, err
		}
	}
	w.cells = w.pathOf(dir)
	return w, nil
}

// above is the path of the file with that name in dir or the nearest directory above it, "" for none.
func above(dir, name string) string {
	for {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() {
			return file
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

// read finds the main modules as the go command does; a go.work that does not use the module of dir is left aside.
func (w *workspace) read(dir string) error {
	mod, work := above(dir, "go.mod"), ""
	switch env := os.Getenv("GOWORK"); env {
	case "off":
	case "":
		work = above(dir, "go.work")
	default:
		work = env
	}
	if work != "" {
		dirs, file, err := readWork(work)
		if err != nil {
			return err
		}
		// A go.mod further up is none of the go.work's, and not the nearest either.
		if mod == "" || len(filepath.Dir(mod)) < len(filepath.Dir(work)) || slices.Contains(dirs, filepath.Dir(mod)) {
			return w.readWorkspace(work, file, dirs)
		}
	}
	if mod == "" {
		return nil
	}
	w.file = mod
	return w.readModule(filepath.Dir(mod))
}

// readWork parses a go.work and lists the directories that it uses.
func readWork(name string) (dirs []string, file *modfile.WorkFile, err error) {
	raw, err := readSource(name)
	if err == nil {
		file, err = modfile.ParseWork(name, raw, nil)
	}
	if err != nil {
		return nil, nil, err
	}
	for _, use := range file.Use {
		dirs = append(dirs, absolute(filepath.Dir(name), use.Path))
	}
	return dirs, file, nil
}

func (w *workspace) readWorkspace(name string, file *modfile.WorkFile, dirs []string) error {
	w.file = name
	for _, r := range file.Replace { // before those of the modules: it decides
		w.addReplace(filepath.Dir(name), r)
	}
	for _, dir := range dirs {
		if err := w.readModule(dir); err != nil {
			return err
		}
	}
	if file.Go != nil {
		w.version = later(w.version, file.Go.Version)
	}
	if err := w.addSums(filepath.Join(filepath.Dir(name), "go.work.sum")); err != nil {
		return err
	}
	return w.readVendor(filepath.Dir(name))
}

// readModule adds a main module with what it requires and replaces.
func (w *workspace) readModule(dir string) error {
	file, err := readMod(dir)
	if err != nil {
		return err
	}
	m := localModule{path: file.Module.Mod.Path, dir: dir}
	if file.Go != nil {
		m.goVersion = file.Go.Version
		w.version = later(w.version, m.goVersion)
	}
	// it may have been replaced by its directory
	w.modules = slices.DeleteFunc(w.modules, func(o localModule) bool { return o.path == m.path })
	w.modules = append(w.modules, m)
	for _, r := range file.Require {
		w.require = append(w.require, r.Mod)
	}
	for _, x := range file.Exclude {
		w.exclude = append(w.exclude, x.Mod)
	}
	for _, r := range file.Replace {
		w.addReplace(dir, r)
	}
	if err := w.addSums(filepath.Join(dir, "go.sum")); err != nil {
		return err
	}
	if w.file == filepath.Join(dir, "go.mod") {
		return w.readVendor(dir)
	}
	return nil
}

func readMod(dir string) (*modfile.File, error) {
	name := filepath.Join(dir, "go.mod")
	raw, err := readSource(name)
	if err != nil {
		return nil, err
	}
	file, err := modfile.Parse(name, raw, nil)
	if err != nil {
		return nil, err
	}
	if file.Module == nil {
		return nil, fmt.Errorf("%s has no module line", name)
	}
	return file, nil
}

// addReplace adds a replace directive of a file in dir, unless a module is there or replaced already.
func (w *workspace) addReplace(dir string, r *modfile.Replace) {
	if w.module(r.Old.Path) != nil || slices.ContainsFunc(w.replace, func(o *modfile.Replace) bool { return o.Old == r.Old }) {
		return
	}
	if r.New.Version != "" {
		w.replace = append(w.replace, r)
		return
	}
	m := localModule{path: r.Old.Path, dir: absolute(dir, r.New.Path)}
	if file, err := readMod(m.dir); err == nil && file.Go != nil {
		m.goVersion = file.Go.Version
	}
	w.modules = append(w.modules, m)
}

// addModule adds a module that Get was given, which may have no go.mod.
func (w *workspace) addModule(m localModule) error {
	if w.module(m.path) != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(m.dir, "go.mod")); err == nil {
		return w.readModule(m.dir)
	}
	w.modules = append(w.modules, m)
	return nil
}

func (w *workspace) addSums(name string) error {
	raw, err := readSource(name)
	if err == nil {
		w.sums = append(append(w.sums, raw...), '\n')
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// readVendor adds the modules of a vendor directory: modules.txt has a line "# path version" for each, and perhaps one
// that begins with ## and says its version of Go.
func (w *workspace) readVendor(dir string) error {
	raw, err := readSource(filepath.Join(dir, "vendor", "modules.txt"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	w.vendor = filepath.Join(dir, "vendor")
	at := -1
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		switch {
		case len(f) >= 3 && f[0] == "#" && strings.HasPrefix(f[2], "v"):
			if at = -1; w.module(f[1]) == nil {
				at = len(w.modules)
				w.modules = append(w.modules, localModule{path: f[1], version: f[2], dir: filepath.Join(w.vendor, filepath.FromSlash(f[1]))})
			}
		case len(f) > 0 && f[0] == "##" && at >= 0:
			if _, v, ok := strings.Cut(line, "go "); ok {
				w.modules[at].goVersion = strings.TrimSpace(v)
			}
		}
	}
	return nil
}

// module is the local module with that path, nil for none.
func (w *workspace) module(path string) *localModule {
	for i := range w.modules {
		if w.modules[i].path == path {
			return &w.modules[i]
		}
	}
	return nil
}

// pathOf is the import path that the package in dir has, "" for a directory of no local module.
func (w *workspace) pathOf(dir string) (longest string) {
	deepest := ""
	if file := above(dir, "go.mod"); file != "" {
		deepest = filepath.Dir(file) // of a module that is below another
	}
	for _, m := range w.modules {
		rel, err := filepath.Rel(m.dir, dir)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) || len(m.dir) < len(deepest) {
			continue
		}
		longest, deepest = path.Join(m.path, filepath.ToSlash(rel)), m.dir
	}
	return longest
}

// find is the directory that has the package p, and its module. Where a module has the path and no such directory, dir
// is "". As in Go, a directory below a module that has a go.mod is none of it.
func (w *workspace) find(p string) (dir string, in *localModule) {
	for i := range w.modules {
		m := &w.modules[i]
		rest, ok := strings.CutPrefix(p, m.path)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		at := filepath.Join(m.dir, filepath.FromSlash(rest))
		switch have := m.has(at); {
		case in == nil, have && (dir == "" || len(m.path) > len(in.path)), !have && dir == "" && len(m.path) > len(in.path):
			in, dir = m, ""
			if have {
				dir = at
			}
		}
	}
	return dir, in
}

// has reports whether a directory below m belongs to it and has Go files.
func (m *localModule) has(dir string) bool {
	if !HasGoFiles(dir) {
		return false
	}
	for ; len(dir) > len(m.dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return false
		}
	}
	return true
}

func HasGoFiles(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(files) > 0
}

// hasPackage reports whether a directory has Go files of a package that can be imported.
func hasPackage(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return slices.ContainsFunc(files, func(file string) bool {
		name := packageClause(file)
		return !strings.HasSuffix(file, "_test.go") && name != "" && name != "main"
	})
}

// meant is the import path of the package of the user's own modules that p is the end of, or that has the end of p; ""
// for none.
func (w *workspace) meant(p string) string {
	for rest := p; rest != ""; _, rest, _ = strings.Cut(rest, "/") {
		for i := range w.modules {
			m := &w.modules[i]
			if m.version == "" && strings.HasSuffix("/"+m.path, "/"+rest) && hasPackage(m.dir) {
				return m.path
			}
			if dir := filepath.Join(m.dir, filepath.FromSlash(rest)); m.version == "" && filepath.IsLocal(filepath.FromSlash(rest)) && m.has(dir) && hasPackage(dir) {
				return path.Join(m.path, rest)
			}
		}
	}
	return ""
}

// required is the module that a go.mod of the workspace requires for the package p.
func (w *workspace) required(p string) (longest module.Version) {
	for _, r := range w.require {
		if (p == r.Path || strings.HasPrefix(p, r.Path+"/")) && (len(r.Path) > len(longest.Path) || r.Path == longest.Path && semver.Compare(r.Version, longest.Version) > 0) {
			longest = r
		}
	}
	return longest
}

func absolute(dir, p string) string {
	p = filepath.FromSlash(p)
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(dir, p)
}
