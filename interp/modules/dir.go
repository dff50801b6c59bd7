package modules

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// IsDir reports whether a query of [Session.Get] is a directory: it is absolute, or begins with a dot or a tilde.
func IsDir(query string) bool {
	return query == "." || query == ".." || strings.HasPrefix(query, "./") || strings.HasPrefix(query, "../") || strings.HasPrefix(query, "~/") ||
		filepath.IsAbs(query) || filepath.Separator == '\\' && (strings.HasPrefix(query, `.\`) || strings.HasPrefix(query, `..\`))
}

// AddDir makes the packages of a directory importable in later cells, and those below it. It returns the import path of
// the directory, and the name of its package, "" when it has none. The path is the one that its module gives it, when
// there is a go.mod in it or above it; otherwise it is its own name.
func (m *Set) AddDir(dir string) (importPath, name string, err error) {
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", err
		}
		dir = filepath.Join(home, rest)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return "", "", err
	}
	if info, err := os.Stat(dir); err != nil {
		return "", "", err
	} else if !info.IsDir() {
		return "", "", fmt.Errorf("%s is a file: name its directory; %%load runs a file", engine.ShortPath(dir))
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.own = nil
	own := m.workspace()
	if m.ownErr != nil {
		return "", "", m.ownErr
	}
	p := own.pathOf(dir)
	if p == "" {
		add := localModule{path: filepath.Base(dir), dir: dir}
		if file := above(dir, "go.mod"); file != "" {
			mod, err := readMod(filepath.Dir(file))
			if err != nil {
				return "", "", err
			}
			add = localModule{path: mod.Module.Mod.Path, dir: filepath.Dir(file)}
		}
		if old := own.module(add.path); old != nil {
			return "", "", fmt.Errorf("the session has a module %s already, in %s", add.path, engine.ShortPath(old.dir))
		}
		names := packagesBelow(add.path, add.dir)
		if len(names) == 0 {
			return "", "", fmt.Errorf("there is no Go package in %s, or below it", engine.ShortPath(dir))
		}
		for known := range names {
			if m.installed[known] {
				return "", "", fmt.Errorf("%s would be imported as %q, which is another package: give it a go.mod, by go mod init", engine.ShortPath(dir), known)
			}
		}
		m.added = append(m.added, add)
		m.own = nil
		own = m.workspace()
		if m.ownErr != nil {
			m.added = m.added[:len(m.added)-1]
			m.own = nil
			return "", "", m.ownErr
		}
		p = own.pathOf(dir)
	}
	if len(packagesBelow(p, dir)) == 0 {
		return "", "", fmt.Errorf("there is no Go package in %s, or below it", engine.ShortPath(dir))
	}
	src, err := own.localPackage(p)
	if err == nil && src != nil {
		name = src.Name
	}
	return p, name, nil
}

// packagesBelow lists the packages of the module in a directory by their import paths, with their names: no programs,
// no tests, no other modules.
func packagesBelow(module, root string) map[string]string {
	names := map[string]string{}
	files := 0
	filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return fs.SkipDir
		}
		if files++; files > maxWalk {
			return fs.SkipAll
		}
		if d.IsDir() {
			switch base := d.Name(); {
			case file == root:
				return nil
			case base == "testdata", base == "vendor", base[0] == '.', base[0] == '_':
				return fs.SkipDir
			}
			if _, err := os.Stat(filepath.Join(file, "go.mod")); !errors.Is(err, fs.ErrNotExist) {
				return fs.SkipDir
			}
			return nil
		}
		rel, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		if importPath := path.Join(module, filepath.ToSlash(rel)); names[importPath] == "" {
			if name := packageClause(file); name != "" && name != "main" {
				names[importPath] = name
			}
		}
		return nil
	})
	return names
}

// maxWalk bounds how many files and directories are looked at: the directory may be the user's home.
const maxWalk = 20_000
