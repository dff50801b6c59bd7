package symbols

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/interp"
)

// What a session says of a function has an example and the options that it takes; each example is Go.
func TestFunctionsHaveExamplesAndOptions(t *testing.T) {
	s, err := interp.New(interp.Options{Packages: Packages(), Docs: Docs()})
	require.NoError(t, err)
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
