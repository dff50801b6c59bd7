package arrays

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestRowsAsEncodingCSV: of random texts with quotes, comments, spaces and every kind of line end, the rows are those of
// encoding/csv, up to the same first fault.
func TestRowsAsEncodingCSV(t *testing.T) {
	alphabet := []string{"1", "2.5", "x", ",", ",", ";", "\n", "\n", "\r\n", "\r", "\"", "#", " ", "\t", "é", "\u00a0", strings.Repeat("long", 10)}
	random := rand.New(rand.NewPCG(1, 2))
	ended := map[bool]int{}
	for range 50_000 {
		var b strings.Builder
		for range random.IntN(30) {
			word := alphabet[random.IntN(len(alphabet))]
			if word == "\"" && random.IntN(3) > 0 {
				word = "1"
			}
			b.WriteString(word)
		}
		text, comma := b.String(), []rune{',', ';', '\t', ' '}[random.IntN(4)]
		judge := csv.NewReader(strings.NewReader(text))
		judge.Comma, judge.Comment, judge.TrimLeadingSpace = comma, '#', comma != '\t'
		rows := newCSVRows(strings.NewReader(text), comma, 0)
		for {
			want, wantErr := judge.Read()
			got, err := rows.next()
			if (wantErr == nil) != (err == nil) || (wantErr == io.EOF) != (err == io.EOF) {
				t.Fatalf("%q: %v, encoding/csv says %v", text, err, wantErr)
			}
			if wantErr != nil {
				ended[wantErr == io.EOF]++
				var fault *csv.ParseError
				if errors.As(wantErr, &fault) && !strings.HasPrefix(err.Error(), fmt.Sprintf("line %d", fault.Line)) {
					t.Errorf("%q: %v, encoding/csv says %v", text, err, wantErr)
				}
				break
			}
			line, _ := judge.FieldPos(0)
			if !slices.Equal(got, want) || rows.line != line {
				t.Fatalf("%q: line %d is %q, encoding/csv gives line %d %q", text, rows.line, got, line, want)
			}
		}
	}
	if ended[true] < 1000 || ended[false] < 1000 {
		t.Error("the texts are all good or all bad: ", ended)
	}
}

// TestLongLines: a line longer than the buffer is one row.
func TestLongLines(t *testing.T) {
	cell := strings.Repeat("7", 300)
	line := strings.Repeat(cell+",", 2000) + cell
	rows := newCSVRows(strings.NewReader(line+"\n"+line), ',', 0)
	for range 2 {
		row, err := rows.next()
		if err != nil || len(row) != 2001 || row[0] != cell || row[2000] != cell {
			t.Fatal(len(row), err)
		}
	}
	if _, err := rows.next(); err != io.EOF {
		t.Error(err)
	}
}
