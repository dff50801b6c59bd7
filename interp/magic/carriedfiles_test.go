package magic

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDataStaysInItsDirectory: links out of the notebook's directory are not written through.
func TestDataStaysInItsDirectory(t *testing.T) {
	outside := t.TempDir()
	t.Chdir(t.TempDir())
	require.NoError(t, os.Symlink(outside, "link"))
	require.NoError(t, os.Symlink(filepath.Join(outside, "b"), "b"))
	for _, path := range []string{"link/a", "link/deep/a", "b"} {
		assert.Error(t, writeNew(filepath.FromSlash(path), []byte("x")), path)
	}
	files, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Empty(t, files)
	require.NoError(t, writeNew("in/a", []byte("x")))
	content, err := os.ReadFile("in/a")
	require.NoError(t, err)
	assert.Equal(t, "x", string(content))
}
