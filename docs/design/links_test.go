package design

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

var (
	fenced = regexp.MustCompile("(?ms)^```.*?^```$")
	coded  = regexp.MustCompile("`[^`\n]*`")
	target = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	page   = regexp.MustCompile(`docs/design/[\w./-]*\.md`)
)

// readTree calls f with the files of the tree whose names end in one of these, by their paths from its root.
func readTree(t *testing.T, f func(path, text string), ends ...string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") && name != ".ci" || name == "testdata" || name == "node_modules") {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasPrefix(name, "zz_") || !slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(name, end) }) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		f(filepath.ToSlash(rel), string(text))
		return err
	})
	require.NoError(t, err)
}

// deadLinks returns the links of a page to files that are not there. base is the folder of the page.
func deadLinks(base, text string) (dead []string) {
	text = coded.ReplaceAllString(fenced.ReplaceAllString(text, ""), "")
	for _, m := range target.FindAllStringSubmatch(text, -1) {
		file, _, _ := strings.Cut(m[1], "#")
		if file == "" || strings.Contains(m[1], ":") {
			continue
		}
		if _, err := os.Stat(filepath.Join(base, file)); err != nil {
			dead = append(dead, m[1])
		}
	}
	return dead
}

// Links of all pages, and all mentions of a page of docs/design in code, tests and scripts, lead to files that are
// there. (Anchors are looked at by tests/notebooks.)
func TestLinks(t *testing.T) {
	pages, mentions := 0, 0
	readTree(t, func(path, text string) {
		if strings.HasSuffix(path, ".md") {
			pages++
			assert.Empty(t, deadLinks(filepath.Dir(filepath.Join(root, path)), text), "%s: links to what is not there", path)
		}
		if path == "docs/design/links_test.go" {
			return
		}
		for _, m := range page.FindAllString(text, -1) {
			mentions++
			assert.FileExists(t, filepath.Join(root, m), "%s mentions it", path)
		}
	}, ".md", ".go", ".py", ".sh", ".yaml", ".mjs", ".ipynb", "Makefile", "run")
	assert.Greater(t, pages, 100)
	assert.Greater(t, mentions, 10)
	dead := deadLinks(".", "[a](architecture.md), [b](nosuch.md#x), [c](https://a.b/c), `[d](nosuch2.md)`, [e](#f)\n```\n[g](nosuch3.md)\n```\n")
	assert.Equal(t, []string{"nosuch.md#x"}, dead)
}

// names are the things in code quotes of a decision that can be looked up: files and folders of the tree, tests and
// targets of make.
func names(text string) (paths, tests, targets []string) {
	top := regexp.MustCompile(`^(arrays|cmd|cudabackend|docs|gpu|install|internal|interp|kernel|kir|lazy|notebooks|offload|packaging|simgpu|tests|viz)/[\w./-]+`)
	for _, quoted := range coded.FindAllString(text, -1) {
		q := strings.Trim(quoted, "`")
		if p := top.FindString(q); p != "" && !strings.Contains(q, "*") {
			paths = append(paths, strings.TrimRight(p, "."))
		}
		if regexp.MustCompile(`^(Test|Benchmark)\w+$`).MatchString(q) {
			tests = append(tests, q)
		}
		if m := regexp.MustCompile(`^make ([a-z][a-z-]*)`).FindStringSubmatch(q); m != nil {
			targets = append(targets, m[1])
		}
	}
	return paths, tests, targets
}

// What decisions that stand name is there: files, tests, targets of make. Who moves a file mends the decision that
// names it.
func TestDecisionsNameWhatIsThere(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	var code strings.Builder
	readTree(t, func(path, text string) { code.WriteString(text) }, "_test.go")
	count := 0
	for _, d := range decisions(t) {
		if d.status == "superseded" {
			continue // it may name what is gone
		}
		text, err := os.ReadFile(filepath.Join("decisions", d.file))
		require.NoError(t, err)
		paths, tests, targets := names(string(text))
		count += len(paths) + len(tests) + len(targets)
		for _, p := range paths {
			_, err := os.Stat(filepath.Join(root, p))
			assert.NoError(t, err, "%s names %s, which is not there", d.file, p)
		}
		for _, name := range tests {
			assert.Contains(t, code.String(), "func "+name+"(", "%s names a test that is not there", d.file)
		}
		for _, name := range targets {
			assert.Contains(t, string(makefile), "\n"+name+":", "%s names a target that is not there", d.file)
		}
	}
	assert.Greater(t, count, 80)
	paths, tests, targets := names("`lazy/fusiongroups.go`, `internal/ship prefix`, `encoding/xml`, `TestX`, `make bench-kir`, `lazy/*.go`")
	assert.Equal(t, []string{"lazy/fusiongroups.go", "internal/ship"}, paths)
	assert.Equal(t, []string{"TestX"}, tests)
	assert.Equal(t, []string{"bench-kir"}, targets)
}
