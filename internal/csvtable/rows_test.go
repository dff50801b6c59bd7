package csvtable

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

var blanksBehind = regexp.MustCompile(`"[ \t]`)

// TestRowsAsEncodingCSV: of random texts with quotes, comments, spaces and line ends, the rows are those of
// encoding/csv, up to the same first fault. It does not know our rules for blanks behind a cell, comments behind cells,
// lines of blanks, and quotes inside of cells, so that these are left out.
func TestRowsAsEncodingCSV(t *testing.T) {
	alphabet := []string{"1", "2.5", "x", ",", ",", ";", "\n", "\n", "\r\n", "\n#", "\"", "\"", " ", "\t", "é", strings.Repeat("long", 10)}
	random := rand.New(rand.NewPCG(1, 2+uint64(testsize.Turn())))
	ended, texts := map[string]int{}, testsize.Of("internal/csvtable.TestRowsAsEncodingCSV")
	for range texts {
		var b strings.Builder
		for range random.IntN(30) {
			word := alphabet[random.IntN(len(alphabet))]
			if word == "\"" && random.IntN(3) > 0 {
				word = "1"
			}
			b.WriteString(word)
		}
		text, comma := b.String(), []rune{',', ';', '\t'}[random.IntN(3)]
		judge := csv.NewReader(strings.NewReader(text))
		judge.Comma, judge.Comment, judge.TrimLeadingSpace, judge.FieldsPerRecord = comma, '#', comma != '\t', -1
		o := optionsOf(delimiter(comma), comment("#"))
		rows := newRowReader(strings.NewReader(text), newDialect(&o))
		width := 0
		for {
			want, wantErr := judge.Read()
			line := 0
			if wantErr == nil {
				line, _ = judge.FieldPos(0)
				if strings.TrimSpace(strings.Join(want, "")) == "" && len(want) == 1 && !strings.Contains(text, "\"") {
					continue // a line of blanks
				}
			}
			if errors.Is(wantErr, csv.ErrBareQuote) || errors.Is(wantErr, csv.ErrQuote) && blanksBehind.MatchString(text) || wantErr == nil && strings.TrimSpace(strings.Join(want, "")) == "" {
				ended["a rule of ours"]++
				break
			}
			got, err := rows.next()
			if wantErr == nil && width > 0 && len(want) != width {
				ended["uneven"]++
				require.ErrorContains(t, err, fmt.Sprintf("line %d has %d cells", line, len(want)), "%q", text)
				break
			}
			if (wantErr == nil) != (err == nil) || (wantErr == io.EOF) != (err == io.EOF) {
				t.Fatalf("%q: %v, encoding/csv says %v", text, err, wantErr)
			}
			if wantErr != nil {
				ended[fmt.Sprint(wantErr == io.EOF)]++
				break
			}
			width = len(want)
			if len(got) != width {
				t.Fatalf("%q: line %d: %q, encoding/csv says %q", text, line, got, want)
			}
			for i := range want {
				want[i] = strings.TrimSpace(want[i])
				got[i] = strings.TrimSpace(strings.ReplaceAll(got[i], "\r\n", "\n"))
			}
			if !slices.Equal(want, got) || line != rows.at {
				t.Fatalf("%q: line %d is %q, at %d; encoding/csv says %q", text, line, got, rows.at, want)
			}
		}
	}
	for _, how := range []string{"true", "false", "uneven"} {
		assert.Greater(t, ended[how], texts/50, how)
	}
}

// TestRowsOfTheirOwn: what encoding/csv does not know, by the rules of the documentation.
func TestRowsOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		name, text string
		opts       []option
		want       [][]string
	}{
		{"lone CR", "a,b\r1,2\r\"x\ry\",3\r", nil, [][]string{{"a", "b"}, {"1", "2"}, {"x\ry", "3"}}},
		{"mixed line ends", "a\r\nb\rc\nd", nil, [][]string{{"a"}, {"b"}, {"c"}, {"d"}}},
		{"blanks in quotes", `" a ", b ," c"  ,d` + "\n", nil, [][]string{{" a ", "b", " c", "d"}}},
		{"quote in a cell", `5" pipe,a"b"` + "\n", nil, [][]string{{`5" pipe`, `a"b"`}}},
		{"single quotes", "'a,b','it''s'\n", []option{quote('\'')}, [][]string{{"a,b", "it's"}}},
		{"no quotes", "\"a\",\"b\n", []option{quote(0)}, [][]string{{`"a"`, `"b`}}},
		{"rows of # without comments", "#a,b\n#1,2\n", nil, [][]string{{"#a", "b"}, {"#1", "2"}}},
		{"comments", "# x\na,b # y\n  # z\n\"#1\",2//c\n", []option{comment("#")}, [][]string{{"a", "b"}, {"#1", "2//c"}}},
		{"comments of two characters", "a,b//c\n//\n1,2\n", []option{comment("//")}, [][]string{{"a", "b"}, {"1", "2"}}},
		{"lines of blanks", "a\n\n  \n\t\n\"\"\nb", nil, [][]string{{"a"}, {""}, {"b"}}},
		{"filled", "a,b,c\n1\n2,3,4,,\n", []option{ragged(RaggedFilled)}, [][]string{{"a", "b", "c"}, {"1", "", ""}, {"2", "3", "4"}}},
		{"skipped", "a,b\n1\n2,3\n4,5,6\n", []option{ragged(RaggedSkipped)}, [][]string{{"a", "b"}, {"2", "3"}}},
		{"wide delimiter", "a§\"b§c\"\nd§e\n", []option{delimiter('§')}, [][]string{{"a", "b§c"}, {"d", "e"}}},
	} {
		o := optionsOf(c.opts...)
		require.NoError(t, o.Check(), c.name)
		rows := newRowReader(iotest.OneByteReader(strings.NewReader(c.text)), newDialect(&o))
		var got [][]string
		for {
			row, err := rows.next()
			if err == io.EOF {
				break
			}
			require.NoError(t, err, c.name)
			got = append(got, kept(row))
		}
		assert.Equal(t, c.want, got, c.name)
	}
}

// TestLineEndsAtTheEndOfTheBuffer: a \r whose \n is in the next buffer ends one line, not two.
func TestLineEndsAtTheEndOfTheBuffer(t *testing.T) {
	o := optionsOf()
	for _, end := range []string{"\r\n", "\r", "\n"} {
		for n := bufferBytes - 3; n < bufferBytes+3; n++ {
			rows := newRowReader(strings.NewReader(strings.Repeat("x", n)+end+"y"+end), newDialect(&o))
			for _, want := range []int{n, 1} {
				row, err := rows.next()
				require.NoError(t, err)
				require.Len(t, row[0], want)
			}
			require.Equal(t, 2, rows.at)
			_, err := rows.next()
			require.Equal(t, io.EOF, err)
		}
	}
}

// TestLongLines: a line longer than the buffer is one row.
func TestLongLines(t *testing.T) {
	cell := strings.Repeat("7", 300)
	line := strings.Repeat(cell+",", 2000) + cell
	o := optionsOf()
	rows := newRowReader(strings.NewReader(line+"\n"+line), newDialect(&o))
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

// TestOnlyNewlines: of random line ends, the bytes are those that a loop over all of them makes, cut anywhere.
func TestOnlyNewlines(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	for range 20_000 {
		b := make([]byte, random.IntN(60))
		for i := range b {
			b[i] = "\r\n\r\nab\x0c\x0e"[random.IntN(8)]
		}
		if random.IntN(2) == 0 {
			b = bytes.ReplaceAll(b, []byte("\r"), []byte("\r\n"))
		}
		want := bytes.Clone(b)
		for i, c := range want {
			if c == '\r' && (i+1 == len(want) || want[i+1] != '\n') {
				want[i] = '\n'
			}
		}
		text, cut := bytes.Clone(b), random.IntN(len(b)+1)
		from := onlyNewlines(text[:cut], 0, false)
		onlyNewlines(text, from, true)
		require.Equal(t, want, text, "%q cut at %d", b, cut)
	}
}
