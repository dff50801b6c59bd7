package interp

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// resolve finds the packages that a cell is about to import from modules, before the cell is compiled: this may fetch,
// takes tenths of a second when it does, and can be interrupted. Packages of the user's own are looked at each time:
// when their files have changed they are loaded again.
func (s *Session) resolve(ctx context.Context, cell int, src string) *Error {
	paths := slices.DeleteFunc(Imports(src), func(p string) bool { return s.installed[p] || p == "C" || p == "unsafe" })
	if len(paths) == 0 {
		return nil
	}
	s.mu.Lock()
	s.modules.own = nil // go.mod may have changed
	s.ownModules()
	renewed := s.modules.renew(paths)
	for p := range renewed.old {
		delete(s.documented, p)
	}
	say := renewed.text(s)
	var want []string
	for p := range s.outside(paths) {
		if s.modules.module(p) != "" || s.modules.own.required(p).Path != "" {
			want = append(want, p)
		}
	}
	progress := s.modules.progress
	s.mu.Unlock()
	if say != "" {
		fmt.Fprint(s.Stream(ctx, "stderr"), say)
	}
	if len(want) == 0 {
		return nil
	}
	slices.Sort(want)
	if progress == nil {
		progress = os.Stderr
	}
	if err := s.list(ctx, want, progress); ctx.Err() != nil {
		return &Error{Kind: Interrupted, Message: "interrupted while packages were looked up"}
	} else if err != nil {
		return importError(cell, src, want, err)
	}
	return nil
}

// importError is the error of a cell whose imports cannot be found, at the first import that is among paths, or else
// the first.
func importError(cell int, src string, paths []string, err error) *Error {
	at := -1
	for _, p := range slices.Concat(paths, Imports(src)) {
		if at = strings.Index(src, `"`+p+`"`); at >= 0 {
			break
		}
	}
	text := &source{cell: cell, src: src, lines: lineStarts(src)}
	return compileError([]Diagnostic{text.diagnostic(max(at, 0), err.Error())})
}

// list has the go command find packages, and what they import.
func (s *Session) list(ctx context.Context, paths []string, progress io.Writer) error {
	g, err := s.goCommand(progress)
	if err != nil {
		return fmt.Errorf("%s cannot be imported: %w", strings.Join(paths, ", "), err)
	}
	defer g.close()
	found, err := g.packages(ctx, paths...)
	if err != nil {
		return err
	}
	mod, sum, err := g.files()
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modules.init()
	s.modules.mod, s.modules.sum = mod, sum
	s.modules.add(found, s.documented)
	return nil
}

// outside are the packages among paths, and among what they import of the user's own modules, that are in none of these
// and not found yet, each with the package that imports it.
func (s *Session) outside(paths []string) map[string]string {
	out := map[string]string{}
	s.modules.visit++
	for _, p := range paths {
		if s.installed[p] {
			continue
		}
		if ok, err := s.addLocal(p, out); !ok && err == nil {
			out[p] = ""
		}
	}
	return out
}

// Missing returns the packages that a cell would need and that no module of the session has: those that it imports
// itself and those that packages of the user's own import, as long as they can be of modules.
func (s *Session) Missing(src string) (paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.modules.own = nil
	for p := range s.outside(Imports(src)) {
		first, _, _ := strings.Cut(p, "/")
		if strings.Contains(first, ".") && !IsDir(p) && s.modules.module(p) == "" && s.ownModules().required(p).Path == "" {
			paths = append(paths, p)
		}
	}
	slices.Sort(paths)
	return paths
}
