package design

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestShown: what storage.md says to be shown by a test has one of that name in that package, and what it shows in a
// cell is in the page for users or in the notebook.
func TestShown(t *testing.T) {
	page, err := os.ReadFile("storage.md")
	require.NoError(t, err)
	var cells strings.Builder
	for _, path := range []string{"../storage.md", "../../notebooks/60-arrays-bigger-than-the-gpu.ipynb"} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		cells.WriteString(strings.ReplaceAll(string(text), `\"`, `"`))
	}
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	quoted := regexp.MustCompile("`([^`]+)`")
	rows := 0
	for line := range strings.Lines(string(page)) {
		columns := strings.Split(line, " | ")
		if len(columns) != 3 || columns[0] == "| promise" {
			continue
		}
		rows++
		for _, m := range quoted.FindAllStringSubmatch(columns[1], -1) {
			name := regexp.MustCompile(`^[\w.]+`).FindString(m[1])
			assert.Contains(t, cells.String(), name, line)
		}
		by := quoted.FindAllStringSubmatch(columns[2], -1)
		assert.NotEmpty(t, by, line)
		for _, m := range by {
			if target, ok := strings.CutPrefix(m[1], "make "); ok {
				assert.Contains(t, string(makefile), "\n"+target+":", line)
				continue
			}
			at := strings.LastIndex(m[1], ".")
			files, err := filepath.Glob(filepath.Join("../..", filepath.FromSlash(m[1][:at]), "*_test.go"))
			require.NoError(t, err)
			found := false
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				found = found || strings.Contains(string(text), "\nfunc "+m[1][at+1:]+"(t *testing.T)")
			}
			assert.True(t, found, "%s is not there", m[1])
		}
	}
	assert.Greater(t, rows, 20)
}
