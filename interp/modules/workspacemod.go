package modules

import (
	"cmp"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"
)

// merge adds to a go.mod and go.sum what the workspace requires, replaces and excludes: so the go command selects the
// versions that it would select there.
func (w *workspace) merge(mod, sum []byte) (newMod, newSum []byte, err error) {
	if w.file == "" && len(w.modules) == 0 {
		return mod, sum, nil
	}
	file, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, nil, err
	}
	have := map[string]string{}
	for _, r := range file.Require {
		have[r.Mod.Path] = r.Mod.Version
	}
	for _, r := range w.require {
		if v, ok := have[r.Path]; !ok || semver.Compare(r.Version, v) > 0 {
			have[r.Path] = r.Version
			err = cmp.Or(err, file.AddRequire(r.Path, r.Version))
		}
	}
	for _, r := range w.replace {
		err = cmp.Or(err, file.AddReplace(r.Old.Path, r.Old.Version, r.New.Path, r.New.Version))
	}
	for _, x := range w.exclude {
		err = cmp.Or(err, file.AddExclude(x.Path, x.Version))
	}
	for _, m := range w.modules {
		if _, noMod := os.Stat(filepath.Join(m.dir, "go.mod")); noMod == nil && m.version == "" {
			err = cmp.Or(err, file.AddReplace(m.path, "", m.dir, ""))
		}
	}
	if file.Go == nil || later(file.Go.Version, w.version) != file.Go.Version {
		err = cmp.Or(err, file.AddGoStmt(cmp.Or(w.version, goVersion)))
	}
	if err != nil {
		return nil, nil, err
	}
	file.Cleanup()
	newMod, err = file.Format()
	known := map[string]bool{"": true}
	for line := range strings.Lines(string(sum)) {
		known[strings.TrimSpace(line)] = true
	}
	newSum = slices.Clone(sum)
	for line := range strings.Lines(string(w.sums)) {
		if line = strings.TrimSpace(line); !known[line] {
			known[line] = true
			newSum = append(newSum, line+"\n"...)
		}
	}
	return newMod, newSum, err
}

// without takes out of a go.mod what merge has added to it: the next command gets what the user's files say then.
func (w *workspace) without(mod []byte) ([]byte, error) {
	file, err := modfile.Parse("go.mod", mod, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range slices.Clone(file.Require) {
		if slices.Contains(w.require, r.Mod) || w.module(r.Mod.Path) != nil {
			err = cmp.Or(err, file.DropRequire(r.Mod.Path))
		}
	}
	for _, r := range slices.Clone(file.Replace) {
		err = cmp.Or(err, file.DropReplace(r.Old.Path, r.Old.Version))
	}
	for _, x := range slices.Clone(file.Exclude) {
		err = cmp.Or(err, file.DropExclude(x.Mod.Path, x.Mod.Version))
	}
	if err != nil {
		return nil, err
	}
	file.Cleanup()
	return file.Format()
}

// later is the newer of two versions of Go.
func later(a, b string) string {
	if version.Compare("go"+b, "go"+a) > 0 {
		return b
	}
	return a
}
