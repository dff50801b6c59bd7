package main

import (
	"bytes"
	"debug/buildinfo"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/google/licensecheck"
)

// licence is that of something inside the binary.
type licence struct {
	Name, Version, Sum string
	Licence            string // an SPDX expression; "" when the texts say nothing that is known
	Texts              []licenceText
	npm                bool
}

type licenceText struct {
	file string
	data []byte
}

// allowed are the licences of what may be inside: those that ask for no more than to be named, and ask it of no one
// else's source.
var allowed = []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "MPL-2.0", "OFL-1.1", "FTL", "Unlicense", "CC0-1.0", "Zlib", "BSL-1.0", "CC-BY-4.0"}

// chosen are licences that a person has read, of modules whose texts are not standard ones or leave a choice.
var chosen = map[string]string{
	"github.com/golang/freetype":       "FTL", // LICENSE: the FreeType licence or the GPL, at one's choice
	"codeberg.org/go-fonts/liberation": "BSD-3-Clause AND OFL-1.1",
}

func licencesCommand(args []string) error {
	_, rest, err := parse("licences", args, 1)
	if err != nil {
		return err
	}
	found, err := licencesIn(rest[0])
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	var bad []string
	for _, l := range found {
		fmt.Fprintf(w, "%s\t%s\t%s\n", l.Name, l.Version, l.Licence)
		if !mayShip(l.Licence) {
			bad = append(bad, fmt.Sprintf("%s has the licence %q", l.Name, l.Licence))
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if len(bad) > 0 {
		return fmt.Errorf("%s; allowed are %s", strings.Join(bad, ", "), strings.Join(allowed, ", "))
	}
	return nil
}

// mayShip reports whether all parts of an expression are allowed.
func mayShip(expression string) bool {
	for _, one := range strings.Split(expression, " AND ") {
		if !slices.Contains(allowed, one) {
			return false
		}
	}
	return true
}

func noticesCommand(args []string) error {
	_, rest, err := parse("notices", args, 1)
	if err != nil {
		return err
	}
	info, err := buildinfo.ReadFile(rest[0])
	if err != nil {
		return err
	}
	text, err := noticesOf(info)
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(text)
	return err
}

func licencesIn(binary string) ([]licence, error) {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	return licencesOf(info)
}

// licencesOf finds the licences of the modules that info lists, of Go itself, and of the scripts that are embedded.
func licencesOf(info *debug.BuildInfo) ([]licence, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	dirs := map[string]string{}
	list, err := exec.Command("go", append([]string{"list", "-m", "-f", "{{.Path}}@{{.Version}} {{.Dir}}"}, modulePaths(info)...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m: %w", err)
	}
	for line := range strings.Lines(string(list)) {
		name, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		dirs[name] = dir
	}
	all := []licence{
		{Name: "the Go standard library", Version: info.GoVersion, Texts: textsIn(strings.TrimSpace(string(goroot)), "")},
		{Name: "echarts", Version: "6.1.0", npm: true, Texts: textsIn("viz/assets", "echarts-")},
	}
	for _, m := range info.Deps {
		dir := dirs[m.Path+"@"+m.Version]
		if dir == "" {
			return nil, fmt.Errorf("%s %s is in the binary and not in go.mod: was it built from this commit?", m.Path, m.Version)
		}
		all = append(all, licence{Name: m.Path, Version: m.Version, Sum: m.Sum, Texts: textsIn(dir, "")})
	}
	for i := range all {
		l := &all[i]
		if l.Licence = chosen[l.Name]; l.Licence == "" {
			l.Licence = expression(l.Texts)
		}
	}
	return all, nil
}

func modulePaths(info *debug.BuildInfo) (paths []string) {
	for _, m := range info.Deps {
		paths = append(paths, m.Path)
	}
	return paths
}

// textsIn reads the files of a directory that are about rights: LICENSE, COPYING, NOTICE, licenses/ftl.txt, PATENTS ...
func textsIn(dir, prefix string) (texts []licenceText) {
	for _, pattern := range []string{"*", "licenses/*"} {
		files, _ := filepath.Glob(filepath.Join(dir, pattern)) // the pattern is well-formed
		for _, f := range files {
			name, ok := strings.CutPrefix(strings.ToLower(filepath.Base(f)), prefix)
			about := strings.Contains(f[len(dir):], "licenses/")
			for _, word := range []string{"license", "licence", "copying", "notice", "copyright"} {
				about = about || strings.HasPrefix(name, word)
			}
			if st, err := os.Stat(f); !ok || !about || err != nil || st.IsDir() {
				continue
			}
			if data, err := os.ReadFile(f); err == nil {
				texts = append(texts, licenceText{strings.TrimPrefix(f[len(dir):], string(filepath.Separator)), data})
			}
		}
	}
	return texts
}

// expression names the licences whose texts the files are.
func expression(texts []licenceText) string {
	var ids []string
	for _, t := range texts {
		for _, m := range licensecheck.Scan(t.data).Match {
			if !m.IsURL {
				ids = append(ids, m.ID)
			}
		}
	}
	slices.Sort(ids)
	return strings.Join(slices.Compact(ids), " AND ")
}

// noticesOf is the file of licence texts that goes with a binary, as they ask.
func noticesOf(info *debug.BuildInfo) ([]byte, error) {
	all, err := licencesOf(info)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.WriteString("arrayrepl is under the Apache License 2.0 (LICENSE). It contains these parts of others, under their own terms.\n")
	for _, l := range all {
		fmt.Fprintf(&b, "\n%s\n%s %s: %s\n", strings.Repeat("=", 80), l.Name, l.Version, l.Licence)
		for _, t := range l.Texts {
			fmt.Fprintf(&b, "%s\n%s\n\n%s\n", strings.Repeat("-", 80), t.file, bytes.TrimSpace(t.data))
		}
	}
	return b.Bytes(), nil
}
