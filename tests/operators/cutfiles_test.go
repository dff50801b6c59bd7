//go:build unix

package operators

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/interp"
	"github.com/arrayrepl/arrayrepl/interp/ixgo"
	"github.com/arrayrepl/arrayrepl/interp/symbols"
)

// TestCutFilesEndNoSession: of a mapped file that another program cuts short, whatever reads it is the cell's error,
// with file and byte, and the session goes on with its variables.
func TestCutFilesEndNoSession(t *testing.T) {
	symbols.Register()
	s, err := interp.New(interp.Options{Engine: ixgo.New(), Packages: symbols.Packages(), Arrays: symbols.Arrays()})
	require.NoError(t, err)
	run := func(cell int, text string, args ...any) error {
		_, err := s.Run(t.Context(), cell, fmt.Sprintf(text, args...))
		return err
	}
	require.NoError(t, run(1, "import \"github.com/arrayrepl/arrayrepl/arrays\"\nkept := 1"))
	for i, text := range []string{
		"x.Sum().Float64()", "x.String()", "np.Sort(x).Float64(0)", "x.Float64s()[0]", // lazy
		"e.Sum().Float64()", "e.Add(1).Float64(0)", "arrays.Sort(e).Float64(0)", "e.String()", "e.Float64(99_999)", // eager
		"np.FromSlice(e.Float64s()).Sum().Float64()",
		"done := make(chan float64)\ngo func() { done <- e.Sum().Float64() }()\n<-done",
		"done := make(chan float64)\ngo func() { done <- x.Sum().Float64() }()\n<-done",
	} {
		path := filepath.Join(t.TempDir(), "x.npy")
		require.NoError(t, arrays.Save(path, arrays.Linspace(0, 1, 100_000)))
		require.NoError(t, run(10*i+2, "x, err := np.MapNPY(%q)\nif err != nil { panic(err) }\ne := x.Array()", path))
		require.NoError(t, os.Truncate(path, 8192))
		err := run(10*i+3, "%s", text)
		assert.ErrorContains(t, err, "x.npy cannot be read at byte", text)
		assert.ErrorContains(t, err, "was cut from 800 kB to 8.19 kB (8192 bytes)", text)
		assert.NoError(t, run(10*i+4, "kept++"))
	}
	assert.NoError(t, run(1000, "if kept != 13 { panic(kept) }"))
}
