package interp

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
	"github.com/arrayrepl/arrayrepl/interp/internal/typeinfo"
	"github.com/arrayrepl/arrayrepl/interp/modules"
	"github.com/arrayrepl/arrayrepl/interp/syntax"
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
	renewed, want, progress := s.modules.Renew(paths)
	for p := range renewed.Old {
		s.assistant.ForgetPackage(p)
	}
	say := s.renewedText(renewed)
	s.mu.Unlock()
	if say != "" {
		fmt.Fprint(s.Stream(ctx, "stderr"), say)
	}
	if len(want) == 0 {
		return nil
	}
	if progress == nil {
		progress = os.Stderr
	}
	found, err := s.modules.List(ctx, want, progress)
	switch {
	case ctx.Err() != nil:
		return &Error{Kind: Interrupted, Message: "interrupted while packages were looked up"}
	case err != nil:
		return importError(cell, src, want, err)
	}
	s.useFetched(found)
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
	text := syntax.Bare(cell, src)
	return cellerror.Compile([]Diagnostic{text.Diagnostic(max(at, 0), err.Error())})
}

// renewedText is what the user is told. Variables that hold values of the packages' types keep these types.
func (s *Session) renewedText(r modules.Renewed) string {
	if len(r.Edited) == 0 {
		return ""
	}
	declared := map[types.Type]bool{}
	var with, holders []string
	for p, pkg := range r.Old {
		if pkg == nil {
			continue
		}
		if !slices.Contains(r.Edited, p) {
			with = append(with, p)
		}
		for _, name := range pkg.Scope().Names() {
			if tn, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
				declared[tn.Type()] = true
			}
		}
	}
	for name, obj := range s.names {
		if v, ok := obj.(*types.Var); ok && !strings.Contains(name, "·") && typeinfo.Mentions(v.Type(), declared, map[types.Type]bool{}) {
			holders = append(holders, name)
		}
	}
	slices.Sort(r.Edited)
	slices.Sort(with)
	slices.Sort(holders)
	text := "loaded anew, as files have changed: " + strings.Join(r.Edited, ", ")
	if len(with) > 0 {
		text += "; with what imports it: " + strings.Join(with, ", ")
	}
	if len(holders) > 0 {
		text += "\nvalues of the types from before, until the cells that make them run again: " + strings.Join(holders, ", ")
	}
	return text + "\n"
}
