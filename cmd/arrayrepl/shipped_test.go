package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// In a clone lab works on copies, which a second start leaves as they are; what new makes is where lab looks. Elsewhere
// nothing is copied.
func TestLabCopiesShippedNotebooks(t *testing.T) {
	clone := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(clone, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	const empty = `{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}`
	write("notebooks/01-tour.ipynb", empty)
	write("notebooks/data/a.csv", "1\n")
	write("notebooks/.ipynb_checkpoints/01-tour.ipynb", empty)
	t.Chdir(clone)
	dir, file, err := labTarget(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"notebooks", ""}, []string{dir, file}, "this is not a clone")

	write("go.mod", "module "+module+"\n")
	for _, args := range [][]string{nil, {"notebooks"}, {"notebooks/01-tour.ipynb"}} {
		dir, file, err := labTarget(t.Context(), args)
		require.NoError(t, err)
		assert.Equal(t, ownNotebooks, dir)
		assert.Equal(t, len(args) > 0 && args[0] != "notebooks", file == "01-tour.ipynb")
	}
	assert.FileExists(t, "my-notebooks/data/a.csv")
	assert.NoDirExists(t, "my-notebooks/.ipynb_checkpoints")
	write("my-notebooks/01-tour.ipynb", "mine")
	_, _, err = labTarget(t.Context(), nil)
	require.NoError(t, err)
	mine, err := os.ReadFile("my-notebooks/01-tour.ipynb")
	require.NoError(t, err)
	assert.Equal(t, "mine", string(mine))

	require.NoError(t, newNotebook(t.Context(), []string{"mine"}))
	assert.FileExists(t, "my-notebooks/mine.ipynb")
	require.NoError(t, newNotebook(t.Context(), []string{"./here"}))
	assert.FileExists(t, "here.ipynb", "a name with a directory is where it says")
}
