package arrays

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestFoundDelimiter: the delimiter of a file that does not say it.
func TestFoundDelimiter(t *testing.T) {
	for _, c := range []struct {
		text, names, found string // names with bars between them; found is what the report says
		opts               []CSVOption
	}{
		{"a;b\n1;2\n", "a|b", ";", nil}, {"a\tb\n1\t2\n", "a|b", `\t`, nil}, {"a,b\n1,2\n", "a|b", "", nil}, {"a|b|c\n1|2|3", "a|b|c", "|", nil}, {"a;b\r1;2\r", "a|b", ";", nil},
		{"a;b\n1,5;2,5\n", "a|b", ";", nil}, {"a;b\n1,5;2,5\n", "a|b", ";", []CSVOption{DecimalMark(',')}}, {"a;b\n1;2\n", "a;b", "", []CSVOption{Delimiter(',')}},
		{"x;y,z\n1;2,3\n", "x;y|z", "", nil}, {"\na,b;c\n1,2;3\n", "a|b;c", "", nil}, {"text\nx;y\nz\n", "text", "", nil}, {"\"a;b\"\n\"1;2\"\n", "a;b", "", nil}, {"a;b\n\"1;2\";3\n", "a|b", ";", nil},
		{"a;b;c\n", "a|b|c", ";", nil}, {"full name\nAnn Lee\nBob Ray\n", "full name", "", nil}, {"a,b;c\n1,2;3\n1;3\n", "a,b|c", ";", nil}, {"a,b;c\n1,2;3\n1;3\n", "a|b;c", "", []CSVOption{Ragged(RaggedFilled)}},
	} {
		var report CSVReport
		names, _, err := LoadTable(writeFile(t, "t.csv", c.text), append(c.opts, Header(true), Report(&report))...)
		require.NoError(t, err, c.text)
		require.Equal(t, c.names, strings.Join(names, "|"), "%q", c.text)
		found := ""
		for _, note := range report.Notes {
			if rest, is := strings.CutPrefix(note, "cells are separated by '"); is {
				found, _, _ = strings.Cut(rest, "'")
			}
		}
		require.Equal(t, c.found, found, "%q", c.text)
	}
	_, _, err := LoadTable(writeFile(t, "t.csv", "a\n1,5\n"), DecimalMark(','))
	require.ErrorContains(t, err, "both the delimiter and the decimal mark")
	_, _, err = LoadTable(writeFile(t, "t.csv", "text\nthis, that\nor; so\n"))
	require.ErrorContains(t, err, "check the delimiter")
	a, err := LoadCSV(writeFile(t, "t.csv", "1;2\n3;4\n"))
	require.NoError(t, err)
	require.Equal(t, []int{2, 2}, a.Shape())
}

// TestDelimitersAsPandas: of random files without a delimiter said, the columns are those that pandas finds with
// sep=None, wherever it finds one of ours for all rows.
func TestDelimitersAsPandas(t *testing.T) {
	testsize.InTurn(t, 0)
	python := judges.Python(t, "pandas")
	r := rand.New(rand.NewPCG(17, 18+uint64(testsize.Turn())))
	cells := []string{"1", "2.5", "-3", "oak", "Ulm", "12:30", "a-b", "x.y", "2024-01-02", "NA", "", "\"q; r\"", "\"s,t\"", "1,5", "two words", "7", "42", "0.25"}
	var texts []string
	for range testsize.Of("arrays.TestDelimitersAsPandas") {
		comma, width := []string{",", ";", "\t", "|"}[r.IntN(4)], 2+r.IntN(4)
		lines := make([]string, 2+r.IntN(8))
		for i := range lines {
			row := make([]string, width)
			for k := range row {
				if row[k] = cells[r.IntN(len(cells))]; i == 0 {
					row[k] = fmt.Sprint("n", k)
				}
				if comma == "," && strings.Contains(row[k], ",") {
					row[k] = "9"
				}
			}
			lines[i] = strings.Join(row, comma)
		}
		texts = append(texts, strings.Join(lines, []string{"\n", "\r\n"}[r.IntN(2)])+"\n")
	}
	in, err := json.Marshal(texts)
	require.NoError(t, err)
	cmd := exec.Command(python, "-W", "ignore", "-c", `
import io, json, sys
import pandas as pd
out = []
for text in json.load(sys.stdin):
    try:
        out.append([str(c) for c in pd.read_csv(io.StringIO(text), sep=None, engine="python").columns])
    except Exception:
        out.append(None)
print(json.dumps(out))`)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	answer, err := cmd.Output()
	require.NoError(t, err)
	var want [][]string
	require.NoError(t, json.Unmarshal(answer, &want))
	same := 0
	for i, text := range texts {
		names, _, err := LoadTable(writeFile(t, "t.csv", text), Header(true))
		require.NoError(t, err, "%q", text)
		first, _, _ := strings.Cut(text, "n1")
		require.Equal(t, "n0", names[0], "%q", text)
		require.Equal(t, strings.Count(strings.SplitN(text, "\n", 2)[0], strings.TrimPrefix(first, "n0"))+1, len(names), "%q", text)
		if fmt.Sprint(want[i]) == fmt.Sprint(names) { // elsewhere its sniffer takes a letter or a point of cells
			same++
		}
	}
	t.Logf("pandas finds the same columns in %d of %d", same, len(texts))
	require.Greater(t, same, len(texts)/2)
}
