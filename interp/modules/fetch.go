package modules

import (
	"context"
	"fmt"
	"io"
	"maps"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// Fetched is what the go command has found, and not in use yet; see [Set.Use].
type Fetched struct {
	Path     string // what was asked for; "" of packages that a cell imports
	mod, sum []byte
	found    map[string]*Package
	get      bool
	paths    []string
	names    map[string]string
	progress io.Writer
}

// Name is the name of the package that was asked for, "" when Path is none.
func (f *Fetched) Name() string { return f.names[f.Path] }

// Fetch has the go command get a module, or the module of a package: "github.com/google/uuid@v1.6.0", also @latest, or
// no version for the one that the user's go.mod requires, or that is in use already, or else the newest. Its messages
// go to progress, nil for none. When ctx ends, so does the command.
func (m *Set) Fetch(ctx context.Context, query string, progress io.Writer) (*Fetched, error) {
	path, version, _ := strings.Cut(query, "@")
	if path == "" || strings.ContainsAny(query, " \t\n\"'`") || strings.HasPrefix(path, "-") {
		return nil, fmt.Errorf("%q is not a module: write a path and, if you like, a version, as in github.com/google/uuid@v1.6.0; or a directory, as in ./geometry", query)
	}
	if m.installed[path] {
		return nil, fmt.Errorf("package %s needs no fetching: import it", path)
	}
	g, err := m.goCommand(progress)
	if err != nil {
		return nil, err
	}
	defer g.close()
	if required := g.own.required(path); version == "" && required.Path != "" {
		query = path + "@" + required.Version
	}
	if dir, own := g.own.find(path); own != nil && version == "" {
		if dir != "" {
			return nil, fmt.Errorf("package %s needs no fetching: it is in %s; import it", path, engine.ShortPath(dir))
		}
		return nil, fmt.Errorf("%s would be in the module %s, which is your own (%s) and has no such package", path, own.path, engine.ShortPath(own.dir))
	}
	if _, err := g.run(ctx, "get", query); err != nil {
		return nil, err
	}
	f := &Fetched{Path: path, get: true, progress: progress}
	if f.paths, f.names, err = g.packageNames(ctx, path); err != nil {
		return nil, err
	}
	if f.names[path] != "" {
		if f.found, err = g.packages(ctx, path); err != nil {
			return nil, err
		}
	}
	f.mod, f.sum, err = g.files()
	return f, err
}

// List has the go command find packages, and what they import.
func (m *Set) List(ctx context.Context, paths []string, progress io.Writer) (*Fetched, error) {
	g, err := m.goCommand(progress)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be imported: %w", strings.Join(paths, ", "), err)
	}
	defer g.close()
	f := &Fetched{}
	if f.found, err = g.packages(ctx, paths...); err != nil {
		return nil, err
	}
	f.mod, f.sum, err = g.files()
	return f, err
}

// Use lets packages that were found be imported, and returns their paths: what was known of their documentation may be
// wrong now. A package that was loaded stays as it is, since values of its types may live, and one of the user's own is
// known already.
func (m *Set) Use(f *Fetched) (paths []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mod, m.sum = f.mod, f.sum
	if f.get {
		m.paths, m.progress = f.paths, f.progress
		maps.Copy(m.names, f.names)
	}
	for p, src := range f.found {
		paths = append(paths, p)
		if old := m.found[p]; old == nil || old.unit == nil && old.local == nil {
			m.found[p] = src
		}
	}
	return paths
}
