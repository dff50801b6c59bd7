package symbols_test

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a session says of a function has an example and the options that it takes; each example is Go.
func TestFunctionsHaveExamplesAndOptions(t *testing.T) {
	s := newSession(t)
	for name, want := range map[string][]string{
		"np.Sum":        {"For example:", "np.Sum(m, np.Axis(0))", "// Options:\n", "\n    np.Axis(axes ...int)\n", "\n    np.KeepDims()"},
		"viz.Line":      {"For example:", "viz.Title(\"Squares\")", "\n    viz.Title(s string)\n"},
		"np.Open":       {"\n    np.CacheBytes(n int64)\n"},
		"gpu.Launch":    {"For example:", "\n    gpu.On(names ...string)\n"},
		"gpu.AtomicAdd": {"For example:"},
		"np.Linspace":   {"For example:", "np.Linspace("},
	} {
		text, ok := s.Inspect(name, len(name))
		require.True(t, ok, name)
		for _, w := range want {
			assert.Contains(t, text, w, name)
		}
	}
	text, _ := s.Inspect("np.LoadCSV", 8)
	assert.Contains(t, text, "\n    np.Delimiter(r rune)\n")
	assert.NotContains(t, text, "arrays.Delimiter", "options have the names of the function's package")
	for _, name := range []string{"fmt.Println", "np.Zeros", "gpu.Printf"} {
		text, _ := s.Inspect(name, len(name))
		assert.NotContains(t, text, "Options:", name)
	}
	for _, name := range []string{"np.Sum", "np.Where", "np.Sort", "np.CumSum", "np.Histogram", "np.Concat"} {
		text, _ := s.Inspect(name, len(name))
		_, code, ok := strings.Cut(text, "For example:\n")
		require.True(t, ok, name)
		code, _, _ = strings.Cut(code, "// Options:")
		_, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {"+code+"\n}", 0)
		assert.NoError(t, err, "%s\n%s", name, code)
	}
}

// Every function of gpu and viz that a notebook calls says how by an example, which is Go.
func TestFunctionsOfNotebooksHaveExamples(t *testing.T) {
	s := newSession(t)
	names := calledInNotebooks(t)
	require.Greater(t, len(names), 80)
	for name := range names {
		text, ok := s.Inspect(name, len(name))
		require.True(t, ok, name)
		if !strings.HasPrefix(text, "func ") { // a conversion
			continue
		}
		text, _, _ = strings.Cut(text, "// Options:")
		var code []string
		for _, line := range strings.Split(text, "\n") {
			if indented := strings.TrimLeft(line, " \t"); len(line)-len(indented) > 0 && indented != "" {
				code = append(code, line)
			}
		}
		if assert.NotEmpty(t, code, "%s has no example", name) && strings.Contains(text, "For example:") {
			_, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc _() {\n"+strings.Join(code, "\n")+"\n}", 0)
			if err != nil { // or it declares functions
				_, err = parser.ParseFile(token.NewFileSet(), "", "package p\n"+strings.Join(code, "\n"), parser.SkipObjectResolution)
			}
			if err != nil && !strings.Contains(strings.Join(code, "\n"), "func ") {
				assert.NoError(t, err, "%s\n%s", name, code)
			}
		}
	}
}

// calledInNotebooks returns the functions of gpu and viz that code of the notebooks calls.
func calledInNotebooks(t *testing.T) map[string]bool {
	files, err := filepath.Glob("../../notebooks/*.ipynb")
	require.NoError(t, err)
	names := map[string]bool{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		var nb struct {
			Cells []struct{ Source []string }
		}
		require.NoError(t, json.Unmarshal(raw, &nb), file)
		for _, c := range nb.Cells {
			for _, m := range regexp.MustCompile(`\b((?:gpu|viz)\.[A-Z]\w*)[(\[]`).FindAllStringSubmatch(strings.Join(c.Source, ""), -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}
