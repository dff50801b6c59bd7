package modules

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goplus/ixgo/load/embed"
	embedparser "github.com/visualfc/goembed/parser"
	"github.com/visualfc/goembed/resolve"
)

// Embed gives variables that embed files their values, and returns the file that makes these, nil for none.
func (src *Package) Embed(fset *token.FileSet, files []*ast.File) (*ast.File, error) {
	if len(src.EmbedFiles) == 0 {
		return nil, nil
	}
	if err := embeddedFit(src.Dir, src.EmbedFiles); err != nil {
		return nil, err
	}
	found, err := embedparser.ParseEmbed(fset, files)
	if err != nil || found == nil {
		return nil, err
	}
	if err := listAll(src.Dir, found.PatternPos); err != nil {
		return nil, err
	}
	return embed.Embed(&build.Package{Name: src.Name, Dir: src.Dir, EmbedPatternPos: found.PatternPos}, fset, files, false, false)
}

// listAll replaces patterns that begin with "all:", which goembed does not know, by the files that they mean.
func listAll(dir string, patterns map[string][]token.Position) error {
	for pattern, at := range patterns {
		if !strings.HasPrefix(pattern, "all:") {
			continue
		}
		names, err := allFiles(dir, pattern)
		if err != nil {
			return err
		}
		for _, name := range names {
			patterns[name] = append(patterns[name], at...)
		}
		delete(patterns, pattern)
	}
	return nil
}

// EmbeddedFiles are the files below a package's directory that patterns of go:embed mean, in order, as paths with
// slashes from there.
func EmbeddedFiles(dir string, patterns []string) (names []string, err error) {
	for _, pattern := range patterns {
		list := allFiles
		if !strings.HasPrefix(pattern, "all:") {
			list = func(dir, pattern string) ([]string, error) { return resolve.ResolveEmbed(dir, []string{pattern}) }
		}
		found, err := list(dir, pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// allFiles are the files that a pattern means which begins with "all:": of directories those whose names begin with a
// point or an underscore too.
func allFiles(dir, pattern string) (files []string, err error) {
	rest := strings.TrimPrefix(pattern, "all:")
	if !fs.ValidPath(rest) {
		return nil, fmt.Errorf("pattern %s: invalid pattern syntax", pattern)
	}
	names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(rest)))
	for _, name := range names {
		err = errors.Join(err, filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && file != name && ofAnother(file, d.Name()):
				return filepath.SkipDir
			case d.Type().IsRegular():
				rel, err := filepath.Rel(dir, file)
				files = append(files, filepath.ToSlash(rel))
				return err
			}
			return nil
		}))
	}
	if err == nil && len(files) == 0 {
		err = errors.New("no matching files found")
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %s: %w", pattern, err)
	}
	return files, nil
}

// ofAnother reports whether a directory in a package's is not part of its module: one of a version control system, or
// of another module.
func ofAnother(dir, name string) bool {
	switch name {
	case ".bzr", ".hg", ".git", ".svn":
		return true
	}
	mod, _ := filepath.Glob(filepath.Join(dir, "go.mod"))
	return len(mod) > 0
}
