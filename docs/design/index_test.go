package design

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the indexes of decisions and measurements")

const indexHead = `# Decisions

What was decided about the program, and why: each with what was rejected, and how it would be revoked. Measurements are in
[measurements](../measurements/README.md). A change of mind is a new file with the next number; the old one says "superseded by" it. A file
has at most 40 lines; ` + "`go test ./docs/design`" + ` checks the form, and ` + "`go test ./docs/design -run Index -update`" + ` writes this index.

Until 2026-11-26 the decisions stood on one page, most of them without a way back and some without an alternative. Where those were missing
they were added on that day: they are what is at hand now, not a record of what was weighed then.
`

// index is the page of all decisions, by area.
func index(ds []decision) string {
	var b strings.Builder
	b.WriteString(indexHead)
	for _, area := range areas {
		fmt.Fprintf(&b, "\n## %s\n\n| number | decision | date |\n|---|---|---|\n", strings.ToUpper(area[:1])+area[1:])
		for _, d := range ds {
			if d.area != area {
				continue
			}
			title := fmt.Sprintf("[%s](%s)", d.title, d.file)
			if d.status == "superseded" {
				title += fmt.Sprintf(", superseded by [%s](%s)", d.by[:4], d.by)
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", d.number, title, d.date)
		}
	}
	return b.String()
}

const measuredHead = `# Measurements

What was measured, each with the day and the machine. Programs write what stands between the comments "begin" and "end" of a page:
` + "`make bench-kir KEEP=1`" + ` and the like. What was measured before they did so stands under "Carried over". A figure of one machine is
compared with others of the same run alone. ` + "`go test ./docs/design -run Index -update`" + ` writes this list.

`

// measured is the list of the pages of measurements.
func measured(t *testing.T) string {
	var b strings.Builder
	b.WriteString(measuredHead)
	for _, path := range measurements(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
		fmt.Fprintf(&b, "- [%s](%s)\n", title, filepath.Base(path))
	}
	return b.String()
}

// The indexes are made of the files, and are up to date.
func TestIndex(t *testing.T) {
	for path, want := range map[string]string{"decisions/README.md": index(decisions(t)), "measurements/README.md": measured(t)} {
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
		}
		have, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(have), "%s is not up to date: go test ./docs/design -run Index -update writes it", path)
	}
}
