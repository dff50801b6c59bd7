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

// measurements are the paths of the pages of measurements, in their order.
func measurements(t *testing.T) (paths []string) {
	t.Helper()
	all, err := filepath.Glob("measurements/*.md")
	require.NoError(t, err)
	for _, path := range all {
		if filepath.Base(path) != "README.md" {
			paths = append(paths, path)
		}
	}
	require.Greater(t, len(paths), 10)
	return paths
}

var (
	begins  = regexp.MustCompile(`(?m)^<!-- begin: (.*) -->$`)
	ends    = regexp.MustCompile(`(?m)^<!-- end: (.*) -->$`)
	written = regexp.MustCompile("(?m)^Written by `[^`]+`, \\d{4}-\\d\\d-\\d\\d")
	someDay = regexp.MustCompile(`\d{4}-\d\d-\d\d`)
)

// undated returns what is wrong with a page of measurements: a block that does not end or does not say who wrote it and
// when, and figures that were carried over without a day.
func undated(text string) (wrong []string) {
	b, e := begins.FindAllStringSubmatchIndex(text, -1), ends.FindAllStringSubmatchIndex(text, -1)
	if len(b) != len(e) {
		return []string{"a block does not begin or does not end"}
	}
	for i := range b {
		name := text[b[i][2]:b[i][3]]
		switch {
		case name != text[e[i][2]:e[i][3]] || e[i][0] < b[i][1]:
			wrong = append(wrong, "the block "+name+" does not end")
		case !written.MatchString(text[b[i][1]:e[i][0]]):
			wrong = append(wrong, "the block "+name+" does not say by what command it was written, and on what day")
		}
	}
	if _, carried, ok := strings.Cut(text, "\n## Carried over\n"); ok {
		for part := range strings.SplitSeq(carried, "\n### ") {
			if strings.TrimSpace(part) != "" && !someDay.MatchString(part) {
				head, _, _ := strings.Cut(strings.TrimSpace(part), "\n")
				wrong = append(wrong, "no day stands in "+head)
			}
		}
	}
	return wrong
}

func TestMeasurements(t *testing.T) {
	for _, path := range measurements(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Empty(t, undated(string(text)), path)
	}
	const block = "# T\n\n<!-- begin: a -->\nWritten by `go run ./a`, 2026-11-26.\n<!-- end: a -->\n"
	assert.Empty(t, undated(block+"\n## Carried over\n\n2026-11-21: 5 ms\n\n### B, 2026-11-22\n\n6 ms\n"))
	assert.Equal(t, []string{"no day stands in B"}, undated(block+"\n## Carried over\n\n2026-11-21: 5 ms\n\n### B\n\n6 ms\n"))
	assert.Equal(t, []string{"the block a does not say by what command it was written, and on what day"}, undated(strings.Replace(block, ", 2026-11-26", "", 1)))
	assert.Equal(t, []string{"a block does not begin or does not end"}, undated(strings.Replace(block, "<!-- end: a -->\n", "", 1)))
	assert.Equal(t, []string{"the block a does not end"}, undated(strings.Replace(block, "end: a", "end: b", 1)))
}
