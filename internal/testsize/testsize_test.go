package testsize

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

// TestTheTableIsUsed: each row is read by a test of the package that it names, and what tests read is a row.
func TestTheTableIsUsed(t *testing.T) {
	read := regexp.MustCompile(`testsize\.(?:Of|Seeds)\("([^"]+)"\)|randomKernels\("([^"]+)"\)`)
	used := map[string]string{} // the folder
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && strings.HasPrefix(d.Name(), ".") && len(d.Name()) > 2 {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") || filepath.Dir(path) == "../../internal/testsize" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range read.FindAllStringSubmatch(string(text), -1) {
			used[m[1]+m[2]], _ = filepath.Rel("../..", filepath.Dir(path))
		}
		return nil
	})
	require.NoError(t, err)
	for name, folder := range used {
		assert.Contains(t, table, name)
		assert.Equal(t, filepath.ToSlash(folder), name[:strings.LastIndex(name, ".")], name)
	}
	for name := range table {
		assert.Contains(t, used, name)
	}
}

// TestThreeTurnsTryAll: the seeds of three commits that follow each other, whichever is the first, are all of the
// normal test's, and so are the parts.
func TestThreeTurnsTryAll(t *testing.T) {
	t.Setenv(Variable, "short")
	for name, row := range table {
		require.True(t, row[short] <= row[normal] && row[normal] <= row[long], "%s: %v", name, row)
		for _, first := range []string{"0123", "4567"} {
			tried := map[uint64]bool{}
			for _, turn := range first[:Turns] {
				t.Setenv(TurnVariable, string(turn))
				seeds := slices.Collect(Seeds(name))
				require.Len(t, seeds, row[short])
				for _, seed := range seeds {
					tried[seed] = true
				}
			}
			require.Len(t, tried, row[normal], name)
		}
	}
	for parts := 1; parts <= Turns; parts++ {
		for i := range 7 {
			n := 0
			for _, turn := range "567" {
				t.Setenv(TurnVariable, string(turn))
				if Part(i, parts) {
					n++
				}
			}
			require.Positive(t, n, "case %d of %d parts", i, parts)
		}
	}
	require.Panics(t, func() { Part(0, Turns+1) })
}

func TestSizes(t *testing.T) {
	const name = "kir/opt.TestRangesHold"
	for i, size := range []string{"short", "normal", "long"} {
		t.Setenv(Variable, size)
		require.Equal(t, table[name][i], Of(name))
		require.Len(t, slices.Collect(Seeds(name)), table[name][i])
	}
	t.Setenv(Variable, "huge")
	require.PanicsWithValue(t, `ARRAYREPL_TESTS is "huge"; it must be short, normal or long`, func() { Of(name) })
	t.Setenv(Variable, "")
	require.Panics(t, func() { Of("no.Test") })
	t.Setenv(TurnVariable, "-1")
	require.Panics(t, func() { Turn() })
}
