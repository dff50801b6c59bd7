package operators

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// asNumPy prints what NumPy has for the last expression of each text of Python, and "error" for what it refuses.
const asNumPy = `
import ast, json, sys
import numpy as np
np.seterr(all="ignore")
out = []
for text in json.load(sys.stdin):
    space = {"np": np}
    body = ast.parse(text).body
    try:
        exec(compile(ast.Module(body[:-1], []), "cell", "exec"), space)
        if isinstance(body[-1], ast.Expr):
            out.append(str(eval(compile(ast.Expression(body[-1].value), "cell", "eval"), space)))
        else:
            exec(compile(ast.Module(body[-1:], []), "cell", "exec"), space)
            out.append("no error")
    except Exception as e:
        out.append("error")
json.dump(out, sys.stdout)
`

// cells are the pairs of testdata/cells.txt.
func cells(t *testing.T) (python, ours []string) {
	text, err := os.ReadFile("testdata/cells.txt")
	require.NoError(t, err)
	for _, c := range strings.Split(strings.TrimSuffix(string(text), "\n===\n"), "\n===\n") {
		p, g, ok := strings.Cut(c, "\n---\n")
		require.True(t, ok, c)
		python, ours = append(python, p), append(ours, g)
	}
	return python, ours
}

// words are those that Python and Go write in different ways, in lists of texts too.
var words = strings.NewReplacer("'", "", "\"", "", "\\n", "\n", "true", "True", "false", "False", ", ", " ", ",", " ", "(", "[", ")", "]")

var blanks = regexp.MustCompile(` *\n *| +`)

// inWords is a text without what differs between lists of Python and slices of Go: quotes, commas, spaces.
func inWords(s string) string {
	s = blanks.ReplaceAllString(words.Replace(s), " ")
	return strings.NewReplacer("[ ", "[", " ]", "]").Replace(s)
}

// TestCellsAsNumPy: cells that write through views, with all dtypes, in functions and loops, show what NumPy has, lazy
// and eager, a third of the eager ones in a short test, each turn another. NumPy itself is asked.
func TestCellsAsNumPy(t *testing.T) {
	python, ours := cells(t)
	in, err := json.Marshal(python)
	require.NoError(t, err)
	c := exec.Command(judges.Python(t, "numpy"), "-c", asNumPy)
	c.Stdin, c.Stderr = bytes.NewReader(in), os.Stderr
	out, err := c.Output()
	require.NoError(t, err)
	var want []string
	require.NoError(t, json.Unmarshal(out, &want))
	for _, pkg := range []string{"np", "arrays"} {
		s := arraySession(t) // one for all: each cell declares what it needs anew
		for i, cell := range ours {
			if pkg != "np" {
				if !testsize.Part(i, 3) {
					continue
				}
				cell = strings.ReplaceAll(cell, "np.", pkg+".")
			}
			got, err := run(s, i+1, cell)
			if err != nil {
				if want[i] != "error" {
					t.Errorf("%s\n\tgives the error %v\n\tNumPy gives\n\t%s", cell, err, want[i])
				}
				continue
			}
			assert.Equal(t, inWords(want[i]), inWords(got), "%s", cell)
		}
	}
}
