package modules

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/build"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// localPackage lists a package of the workspace as the go command would; nil, nil when no module of the workspace has
// the path, and an error when one has it and no such package.
func (w *workspace) localPackage(p string) (*Package, error) {
	dir, m := w.find(p)
	switch {
	case m == nil:
		return nil, nil
	case dir == "":
		if other := w.required(p); len(other.Path) > len(m.path) {
			return nil, nil // of a module that is fetched
		}
		return nil, w.noPackage(p, m)
	}
	src := listLocal(p, m, dir, "")
	if len(src.SFiles) > 0 {
		if plain := listLocal(p, m, dir, pureArch); plain.purer(src) {
			src = plain
		}
	}
	if src.Error == nil { // else there may be no end of it
		src.sum = src.content()
	}
	return src, nil
}

// listLocal lists the package in dir, for another architecture when arch is not "".
func listLocal(p string, m *localModule, dir, arch string) *Package {
	ctxt := build.Default
	ctxt.CgoEnabled = false
	ctxt.BuildTags = append(strings.Split(PureTags, ","), ctxt.BuildTags...)
	if arch != "" {
		ctxt.GOARCH = arch
		ctxt.BuildTags = append(ctxt.BuildTags, safeTag)
	}
	pkg, err := new(build.Package), sourcesFit(dir)
	if err == nil {
		pkg, err = ctxt.ImportDir(dir, 0)
	}
	if err == nil {
		err = embeddedFit(dir, pkg.EmbedPatterns)
	}
	src := &Package{ImportPath: p, Name: pkg.Name, Dir: dir, GoFiles: pkg.GoFiles, SFiles: pkg.SFiles, Imports: pkg.Imports,
		EmbedFiles: pkg.EmbedPatterns, IgnoredGoFiles: pkg.IgnoredGoFiles, local: m}
	src.Module = &struct{ Path, Version, GoVersion string }{m.path, m.version, m.goVersion}
	if no := (*build.NoGoError)(nil); err != nil && !errors.As(err, &no) {
		src.Error = &struct{ Err string }{strings.ReplaceAll(err.Error(), dir, engine.ShortPath(dir))}
	}
	return src
}

// noPackage says that the module m has no package p.
func (w *workspace) noPackage(p string, m *localModule) error {
	dir := filepath.Join(m.dir, filepath.FromSlash(strings.TrimPrefix(p, m.path)))
	if file := above(dir, "go.mod"); file != "" && filepath.Dir(file) != m.dir {
		if mod, err := readMod(filepath.Dir(file)); err == nil {
			sub := filepath.Dir(file)
			return fmt.Errorf("%s is a module of its own, %s: the line %%get %s adds it, and so does a go.work that uses both", engine.ShortPath(sub), mod.Module.Mod.Path, dirQuery(sub))
		}
	}
	return fmt.Errorf("module %s (%s) has no package %s: there are no Go files in %s", m.path, engine.ShortPath(m.dir), p, engine.ShortPath(dir))
}

// dirQuery is a directory as Get takes it.
func dirQuery(dir string) string {
	short := engine.ShortPath(dir)
	if IsDir(short) {
		return short
	}
	return "./" + filepath.ToSlash(short)
}

// content is a checksum of the files that the package is made of.
func (src *Package) content() string {
	h := sha256.New()
	add := func(name string) {
		fmt.Fprintln(h, name)
		if f, err := os.Open(name); err == nil {
			io.Copy(h, f)
			f.Close()
		}
	}
	for _, name := range slices.Concat(src.GoFiles, src.SFiles, src.IgnoredGoFiles) {
		add(filepath.Join(src.Dir, name))
	}
	embedded, _ := EmbeddedFiles(src.Dir, src.EmbedFiles) // what they cannot be is said when they are embedded
	for _, name := range embedded {
		add(filepath.Join(src.Dir, filepath.FromSlash(name)))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// edited reports whether the package's files have changed since they were listed. One of a vendor directory is not
// looked at.
func (src *Package) edited(w *workspace) bool {
	if src.local == nil || src.local.version != "" {
		return false
	}
	now, err := w.localPackage(src.ImportPath)
	return err != nil || now == nil || now.Dir != src.Dir || now.sum != src.sum
}

// addLocal adds the package p of the workspace with what it imports from there, and reports whether there is one. What
// they import of other modules goes to outside, with the package that does.
func (m *Set) addLocal(p string, outside map[string]string) (bool, error) {
	src := m.found[p]
	if src == nil {
		var err error
		if src, err = m.workspace().localPackage(p); src == nil || err != nil {
			return false, cmp.Or(err, m.ownErr)
		}
		m.found[p] = src
	} else if src.local == nil || src.unit != nil || src.visited == m.visit {
		return true, nil
	}
	src.visited = m.visit
	for _, imp := range src.Imports {
		if m.installed[imp] || imp == "C" || imp == "unsafe" {
			continue
		}
		if ok, err := m.addLocal(imp, outside); !ok && err == nil {
			outside[imp] = p // an error comes again when the import is checked
		}
	}
	return true, nil
}

// localNames lists the import paths of the packages of the workspace that begin with prefix, with their names: what the
// user could import here.
func (w *workspace) localNames(prefix string) map[string]string {
	out := map[string]string{}
	for _, m := range w.modules {
		if !strings.HasPrefix(m.path, prefix) && !strings.HasPrefix(prefix, m.path) {
			continue
		}
		for p, name := range packagesBelow(m.path, m.dir) {
			if strings.HasPrefix(p, prefix) && mayImport(w.cells, p) {
				out[p] = name
			}
		}
	}
	return out
}

// mayImport is Go's rule for internal packages: what lies below the directory that has the directory internal may
// import them.
func mayImport(importer, p string) bool {
	root, internal := internalTo(p)
	return !internal || importer == root || strings.HasPrefix(importer, root+"/")
}

// internalTo is the import path below which alone the package p may be imported.
func internalTo(p string) (root string, internal bool) {
	i := strings.LastIndex("/"+p+"/", "/internal/")
	if i < 0 {
		return "", false
	}
	return strings.TrimSuffix(p[:i], "/"), true
}

// internalError says that only packages below another one may import p.
func internalError(p string) error {
	root, _ := internalTo(p)
	return fmt.Errorf("package %s is internal: only what lies below %s may import it", p, root)
}
