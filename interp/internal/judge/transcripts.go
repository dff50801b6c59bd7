package judge

import (
	"os"
	"strings"
	"testing"
)

// Transcript is a session in a transcript file: "## name" starts one, "## go: name" one that compiled Go must agree
// with, "not yaegi: " before the name one that the second engine answers otherwise; lines that start with ">" are a
// cell, up to the next line that does not; the lines after it are what the cell prints and displays. Blank lines
// between cells are not significant.
type Transcript struct {
	Name           string
	IsGo, NotYaegi bool
	Cells          []Cell
}

// Cell is a cell of a transcript: its text, and what it prints and displays.
type Cell struct{ Src, Want string }

// Transcripts reads a transcript file. What stands before the first transcript is its introduction.
func Transcripts(t testing.TB, file string) (intro string, all []Transcript) {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	inCell := false
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			name, isGo := strings.CutPrefix(name, "go: ")
			name, notYaegi := strings.CutPrefix(name, "not yaegi: ")
			all = append(all, Transcript{Name: name, IsGo: isGo, NotYaegi: notYaegi})
			inCell = false
			continue
		}
		if len(all) == 0 {
			intro += line + "\n"
			continue
		}
		cur := &all[len(all)-1]
		if code, ok := strings.CutPrefix(line, ">"); ok {
			if !inCell {
				cur.Cells = append(cur.Cells, Cell{})
				inCell = true
			}
			cur.Cells[len(cur.Cells)-1].Src += strings.TrimPrefix(code, " ") + "\n"
			continue
		}
		inCell = false
		if len(cur.Cells) > 0 {
			cur.Cells[len(cur.Cells)-1].Want += line + "\n"
		}
	}
	return intro, all
}
