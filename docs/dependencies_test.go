package docs

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// TestDependencies: the page has a row for each module that go.mod requires directly, in its version, and each says
// everything.
func TestDependencies(t *testing.T) {
	text, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	mod, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	page, ok := Page("dependencies")
	require.True(t, ok)
	rows := map[string][]string{}
	for line := range strings.Lines(page) {
		if cells := strings.Split(strings.Trim(line, "|\n"), "|"); len(cells) == 7 && strings.Contains(cells[0], "`") {
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows[strings.Trim(cells[0], "`")] = cells
		}
	}
	for _, r := range mod.Require {
		row := rows[r.Mod.Path]
		if delete(rows, r.Mod.Path); r.Indirect {
			assert.Nil(t, row, "%s is indirect", r.Mod.Path)
			continue
		}
		if !assert.NotNil(t, row, "docs/dependencies.md has no row for %s; go run ./tests/dependencies makes one", r.Mod.Path) {
			continue
		}
		version, date, _ := strings.Cut(row[1], " ")
		assert.Equal(t, r.Mod.Version, version, "%s: go run ./tests/dependencies", r.Mod.Path)
		assert.Regexp(t, `^\d{4}-\d\d-\d\d$`, date, r.Mod.Path)
		for i, cell := range row {
			assert.NotEmpty(t, cell, "%s, column %d", r.Mod.Path, i+1)
		}
	}
	assert.Empty(t, rows, "rows of what go.mod does not require")
}
