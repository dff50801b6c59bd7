package interp

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/goplus/ixgo/load/embed"
	embedparser "github.com/visualfc/goembed/parser"
)

// embed gives variables that embed files their values, and returns the file that makes these, nil for none.
func (s *Session) embed(src *moduleSource, files []*ast.File) (*ast.File, error) {
	if len(src.EmbedFiles) == 0 {
		return nil, nil
	}
	found, err := embedparser.ParseEmbed(s.fset, files)
	if err != nil || found == nil {
		return nil, err
	}
	if err := listAll(src.Dir, found.PatternPos); err != nil {
		return nil, err
	}
	return embed.Embed(&build.Package{Name: src.Name, Dir: src.Dir, EmbedPatternPos: found.PatternPos}, s.fset, files, false, false)
}

// listAll replaces patterns that begin with "all:", which goembed does not know, by the files that they mean: of directories those whose
// names begin with a point or an underscore too.
func listAll(dir string, patterns map[string][]token.Position) error {
	for pattern, at := range patterns {
		rest, all := strings.CutPrefix(pattern, "all:")
		if !all {
			continue
		}
		names, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(rest)))
		if err != nil {
			return fmt.Errorf("pattern %s: %w", pattern, err)
		}
		found := false
		for _, name := range names {
			err := filepath.WalkDir(name, func(file string, d fs.DirEntry, err error) error {
				switch {
				case err != nil:
					return err
				case d.IsDir() && file != name && ofAnother(file, d.Name()):
					return filepath.SkipDir
				case d.Type().IsRegular():
					rel, err := filepath.Rel(dir, file)
					if err != nil {
						return err
					}
					patterns[filepath.ToSlash(rel)] = append(patterns[filepath.ToSlash(rel)], at...)
					found = true
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("pattern %s: %w", pattern, err)
			}
		}
		if !found {
			return fmt.Errorf("pattern %s: no matching files found", pattern)
		}
		delete(patterns, pattern)
	}
	return nil
}

// ofAnother reports whether a directory in a package's is no part of its module: one of a version control system, or of another module.
func ofAnother(dir, name string) bool {
	switch name {
	case ".bzr", ".hg", ".git", ".svn":
		return true
	}
	mod, _ := filepath.Glob(filepath.Join(dir, "go.mod"))
	return len(mod) > 0
}
