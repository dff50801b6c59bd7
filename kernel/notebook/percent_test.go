package notebook

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// jupytext writes each of the notebooks that it reads, lists of [type, source, tags], in the percent format, and reads
// that again.
const jupytext = `
import json, sys
import jupytext, nbformat.v4 as v4
out = []
for cells in json.load(sys.stdin):
    nb = v4.new_notebook(metadata={"kernelspec": {"name": "arrayrepl", "display_name": "Go (arrayrepl)", "language": "go"}})
    new = {"code": v4.new_code_cell, "markdown": v4.new_markdown_cell, "raw": v4.new_raw_cell}
    for kind, source, tags in cells:
        nb.cells.append(new[kind](source, metadata={"tags": tags} if tags else {}))
    text = jupytext.writes(nb, "go:percent")
    out.append([text, [[c.cell_type, c.source, c.metadata.get("tags") or []] for c in jupytext.reads(text, "go:percent").cells]])
json.dump(out, sys.stdout)
`

type percentRow struct {
	Type, Source string
	Tags         []string
}

func (r percentRow) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{r.Type, r.Source, r.Tags})
}

func (r *percentRow) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &[]any{&r.Type, &r.Source, &r.Tags})
}

// TestPercentIsJupytext reads what Jupytext wrote of random notebooks, and finds what Jupytext finds.
func TestPercentIsJupytext(t *testing.T) {
	python := judges.Python(t, "jupytext", "nbformat")
	var r *rand.Rand
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	line := func() string {
		return pick("x := 1", "fmt.Println(x)", "", "// a comment", "//no blank", "%time x + 1", "%timeit -n 3 f()", "!ls -l", "!*go version", "x?", "?x",
			"// %time in a comment", "//%time", "// !ls", "\tif x > 0 { // %% no mark", "s := \"// %% in a string\"", "for range 3 {", "}", "// ---", "y := a % b", "%d", "// 100 %", "é := 'ü'")
	}
	lines := func(n int) string {
		out := []string{line()}
		for range r.IntN(n) {
			out = append(out, line())
		}
		return strings.Trim(strings.Join(out, "\n"), "\n")
	}
	var notebooks [][]percentRow
	for seed := range testsize.Seeds("kernel/notebook.TestPercentIsJupytext") {
		r = rand.New(rand.NewPCG(seed, 1))
		var cells []percentRow
		for range 1 + r.IntN(5) {
			c := percentRow{Type: "code", Source: lines(5), Tags: []string{}}
			switch r.IntN(8) {
			case 0:
				c.Type, c.Source = "markdown", "# Title\n\n- "+lines(3)
			case 1:
				c.Type, c.Source = "raw", lines(2)
			case 2:
				c.Source = pick("%%bash", "%%bash -s a", "%%time", "%%writefile a b.txt", "%%html", "%%capture", "%%python3") + "\n" + lines(3)
			}
			if r.IntN(4) == 0 {
				c.Tags = []string{pick("parameters", "raises-exception"), "two words"}
			}
			cells = append(cells, c)
		}
		notebooks = append(notebooks, cells)
	}
	in, err := json.Marshal(notebooks)
	require.NoError(t, err)
	cmd := exec.Command(python, "-W", "ignore", "-c", jupytext)
	cmd.Stdin = strings.NewReader(string(in))
	raw, err := cmd.Output()
	require.NoError(t, err)
	var pairs [][2]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &pairs))
	require.Len(t, pairs, len(notebooks))
	for _, pair := range pairs {
		var text string
		var want []percentRow
		require.NoError(t, json.Unmarshal(pair[0], &text))
		require.NoError(t, json.Unmarshal(pair[1], &want))
		require.True(t, IsPercent(text), text)
		require.Equal(t, want, rowsOf(ParsePercent(text)), text)
	}
}

func rowsOf(nb *Notebook) (rows []percentRow) {
	for _, c := range nb.Cells {
		row := percentRow{c.Type, c.Source, []string{}}
		tags, _ := c.Metadata["tags"].([]any)
		for _, tag := range tags {
			row.Tags = append(row.Tags, fmt.Sprint(tag))
		}
		rows = append(rows, row)
	}
	return rows
}

// What people write by hand has no header. Comments in it that are not magics stay.
func TestPercentByHand(t *testing.T) {
	const text = "x := 1\n\n// %% Title here tags=[\"parameters\"]\n// %time x\n// %d is how numbers are printed\n// !important\ns := `\n// %% in a raw string\n// %time`\n\n// %%\n" +
		"//%matplotlib\n// %% [markdown]\n// # Head\n//\n// text\n// %% language=bash magic_args='-s a'\n// ls\n// %%%% below\ny := 2\n"
	require.True(t, IsPercent(text))
	assert.Equal(t, []percentRow{
		{"code", "x := 1", []string{}},
		{"code", "%time x\n// %d is how numbers are printed\n// !important\ns := `\n// %% in a raw string\n// %time`", []string{"parameters"}},
		{"code", "%matplotlib", []string{}},
		{"markdown", "# Head\n\ntext", []string{}},
		{"code", "%%bash -s a\nls", []string{}},
		{"code", "y := 2", []string{}},
	}, rowsOf(ParsePercent(text)))
	assert.False(t, IsPercent("x := 1\n// 100 %% sure\n"))
	assert.True(t, IsPercent("// a file\n// %%\nx := 1\n"))
	assert.Empty(t, ParsePercent("").Cells)
}
