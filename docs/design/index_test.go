package design

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the index of the decisions")

const indexHead = `# Decisions

What was decided about the program, and why: each with what was rejected, and how it would be revoked. Measurements are in
[measurements](../measurements). A change of mind is a new file with the next number; the old one says "superseded by" it. A file
has at most 40 lines; ` + "`go test ./docs/design`" + ` checks the form, and ` + "`go test ./docs/design -run Index -update`" + ` writes this index.
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

// The index is made of the files, and is up to date.
func TestIndex(t *testing.T) {
	const path = "decisions/README.md"
	want := index(decisions(t))
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(want), 0o644))
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, want, string(have), "%s is not up to date: go test ./docs/design -run Index -update writes it", path)
}
