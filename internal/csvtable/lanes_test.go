package csvtable

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// laneCells are cells of every kind that a column may have, and what looks like them.
var laneCells = [][]string{
	{"0", "7", "-12", "123456789", "12345678901234567", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "-0", "+5", "007", "1234567890123456", "-9007199254740993", "99999999", "100000000", "1_0", "1 2"},
	{"0.5", "-1.25", "3.", ".5", "-.5", "1e5", "-0.0", "12345678.12345678", "123456789.123456", "0.123456789012345", "0.1234567890123456", "1.2.3", "1.5x", "-", ".", "--1.5", "1,5", "+2.5", "inf", "1e999"},
	{"True", "False", "TRUE", "false", "tRue", "Truex", "T"},
	{"2024-02-29", "2023-02-29", "1600-12-31", "0001-01-01", "2024-1-1", "2024-00-10", "2024-10-32", "2024/10/01", "12024-01-01", "2024-04-31", "2024-01-02T03:04:05", "2024-01-02 03:04:05.678", "2024-01-02 03:04", "NaT"},
	{"", "NA", "NaN", "null", " ", "#N/A", "-nan"},
	{"x", "é", " padded ", "\u00a0x", "a\x00b", "# no", "//", "long text of many characters", "\xe4"},
}

// TestLanes: columns that change what they are at any cell, with each delimiter, comments and missing words, are what
// adding one cell after the other makes of them.
func TestLanes(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12+uint64(testsize.Turn())))
	for round := range testsize.Of("internal/csvtable.TestLanes") {
		comma, width := []byte{',', ';', '\t', ' ', 'e'}[r.IntN(5)], 1+r.IntN(4)
		var b strings.Builder
		kinds := make([]int, width)
		for i := range kinds {
			kinds[i] = r.IntN(len(laneCells))
		}
		rare := 1 + r.IntN(40)
		for range 1 + r.IntN(60) {
			for i := range width {
				kind := kinds[i]
				if r.IntN(rare) == 0 {
					kind = r.IntN(len(laneCells))
				}
				cells := laneCells[kind]
				cell := cells[r.IntN(min(len(cells), 2+rare/4))]
				if comma == ' ' && r.IntN(3) == 0 {
					cell = []string{" ", "\t", "  \t "}[r.IntN(3)] + cell
				}
				if i > 0 {
					b.WriteByte(comma)
				}
				b.WriteString(cell)
			}
			b.WriteString([]string{"\n", "\n", "\n", "\r\n", "\r", ",\n", "\n\n", " \n", "\n#c\n"}[r.IntN(3+r.IntN(2)*r.IntN(7))])
		}
		if fault := plainly(b.String(), comma, width); fault != "" {
			t.Fatalf("round %d: %s", round, fault)
		}
	}
}

// TestNumberAt: numbers with a point anywhere have the bits that strconv gives, and what is not a number is none.
func TestNumberAt(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14+uint64(testsize.Turn())))
	const before = "01234567890123456789,"
	for range testsize.Of("internal/csvtable.TestDecimalsOfLines") / 5 {
		cell := decimalText(r)
		if r.IntN(4) == 0 {
			cell = cell[:min(len(cell), 1+r.IntN(17))]
		}
		if r.IntN(8) == 0 {
			at := r.IntN(len(cell) + 1)
			cell = cell[:at] + string("-.,x e/:\x00\xff"[r.IntN(10)]) + cell[at:]
		}
		behind := []string{"", ",", "1", "e5"}[r.IntN(4)]
		text := before[r.IntN(len(before)):] + cell + behind
		from := strings.Index(text, ",") + 1
		if n := strings.LastIndex(text[:len(text)-len(cell)], ","); n < 0 || from == 0 {
			continue
		}
		got, ok := numberAt([]byte(text), from, from+len(cell))
		want, err := strconv.ParseFloat(cell, 64)
		isDecimal := err == nil && strings.Trim(cell, "0123456789.+-eE") == ""
		if ok {
			require.True(t, isDecimal, "%q in %q is %v", cell, text, got)
			require.Equal(t, math.Float64bits(want), math.Float64bits(got), "%q in %q is %v, not %v", cell, text, got, want)
		} else if isDecimal && behind <= "," {
			_, plain := decimal(cell)
			require.False(t, plain && strings.Trim(cell, "0123456789.-") == "" && len(cell) < 16, "%q in %q", cell, text)
		}
	}
}

// TestIsoDay: each day of 800 years, and what is not one, is as package calendar reads it.
func TestIsoDay(t *testing.T) {
	for d := int64(-250_000); d < 60_000; d += 17 {
		text := time.Unix(d*86400, 0).UTC().Format(time.DateOnly)
		got, ok := isoDay(text)
		require.True(t, ok && got == d, "%s is %d, not %d", text, got, d)
	}
	r := rand.New(rand.NewPCG(15, 16))
	for range 3000 {
		text := []byte("2024-12-31")
		text[r.IntN(10)] = "0123456789-/: "[r.IntN(14)]
		text[r.IntN(10)] = "0123456789-/: "[r.IntN(14)]
		got, ok := isoDay(string(text))
		want, u, good, err := calendar.Parse(string(text))
		require.NoError(t, err)
		require.Equal(t, good && u == calendar.Day, ok, "%s", text)
		if ok {
			require.Equal(t, want, got, "%s", text)
		}
	}
}
