package repl_test

import (
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

// withArchives is programs and those of testdata/programs, which have several packages.
func withArchives(t *testing.T) map[string]map[string]string {
	t.Helper()
	all := maps.Clone(programs)
	archives, err := filepath.Glob("testdata/programs/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		ar, err := txtar.ParseFile(name)
		require.NoError(t, err)
		files := map[string]string{}
		for _, f := range ar.Files {
			files[f.Name] = string(f.Data)
		}
		all[strings.TrimSuffix(filepath.Base(name), ".txtar")] = files
	}
	return all
}
