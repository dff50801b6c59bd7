package arrays

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestPiecesAreOneTable: wherever a table is cut, its numbers are those that encoding/csv and strconv read from the
// whole, and its columns those of the table in one piece; the first fault is on the same line.
func TestPiecesAreOneTable(t *testing.T) {
	testsize.InTurn(t, 0)
	defer func(n int) { pieceBytes = n }(pieceBytes)
	random := rand.New(rand.NewPCG(3, 4))
	dir := t.TempDir()
	cells := []func() string{
		func() string { return strconv.FormatFloat(random.NormFloat64(), 'g', -1, 64) },
		func() string { return strconv.Itoa(random.IntN(2000) - 1000) },
		func() string { return "" },
		func() string { return fmt.Sprintf(" %d ", random.IntN(10)) },
		func() string { return `"7"` },
		func() string { return fmt.Sprintf("2024-02-%02d", 1+random.IntN(28)) },
	}
	weights := []int{40, 40, 5, 3, 1, 0}
	faults := 0
	for round := range 300 {
		weights[4], weights[5] = random.IntN(2), random.IntN(3)/2*20
		if random.IntN(10) > 0 {
			weights[5] = 0
		}
		total := 0
		for _, w := range weights {
			total += w
		}
		var b strings.Builder
		width := 1 + random.IntN(4)
		for range random.IntN(30) {
			switch random.IntN(20) {
			case 0:
				b.WriteString("# a comment\n")
			case 1:
				b.WriteString("\r\n")
			}
			for i := range width {
				if i > 0 {
					b.WriteByte(',')
				}
				k, at := 0, random.IntN(total)
				for at >= weights[k] {
					at -= weights[k]
					k++
				}
				b.WriteString(cells[k]())
			}
			if random.IntN(200) == 0 {
				b.WriteString(",1")
			}
			b.WriteString([]string{"\n", "\n", "\r\n"}[random.IntN(3)])
		}
		text := strings.TrimSuffix(b.String(), "\n")

		want, wantFault := judgeCSV(text)
		path := filepath.Join(dir, fmt.Sprint(round, ".csv"))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		pieceBytes = 1 << 20
		names, columns, tableErr := LoadTable(path, Header(false))
		whole := fmt.Sprint(names, dtypesOf(columns), columns, tableErr)
		for _, n := range []int{1, 7, 100} {
			pieceBytes = n
			a, err := readCSV(strings.NewReader(text), Header(false))
			switch {
			case wantFault != "":
				faults++
				if err == nil || !strings.Contains(err.Error(), wantFault) {
					t.Fatalf("pieces of %d bytes of %q: %v, want %s", n, text, err, wantFault)
				}
			case err != nil:
				t.Fatalf("pieces of %d bytes of %q: %v", n, text, err)
			case fmt.Sprint(a.Float64s()) != fmt.Sprint(want):
				t.Fatalf("pieces of %d bytes of %q give %v, want %v", n, text, a.Float64s(), want)
			}
			names, columns, err := LoadTable(path, Header(false))
			if got := fmt.Sprint(names, dtypesOf(columns), columns, err); got != whole {
				t.Fatalf("pieces of %d bytes of %q give\n%s\nin one piece\n%s", n, text, got, whole)
			}
		}
	}
	if faults < 25 {
		t.Errorf("%d faulty tables", faults)
	}
}

func dtypesOf(columns []*Array) (names []string) {
	for _, c := range columns {
		names = append(names, c.DType().String())
	}
	return names
}

// judgeCSV reads numbers, or says what is wrong first: the place of it in the message.
func judgeCSV(text string) (values []float64, fault string) {
	r := csv.NewReader(strings.NewReader(text))
	r.Comment, r.TrimLeadingSpace, r.FieldsPerRecord = '#', true, -1
	width := 0
	for {
		row, err := r.Read()
		if err != nil {
			if width == 0 {
				return nil, "no rows"
			}
			return values, ""
		}
		line, _ := r.FieldPos(0)
		if width == 0 {
			width = len(row)
		}
		if len(row) != width {
			return nil, fmt.Sprintf("line %d has %d cells", line, len(row))
		}
		for i, cell := range row {
			if cell = strings.TrimSpace(cell); cell == "" {
				cell = "NaN"
			}
			v, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fmt.Sprintf("line %d, column %d", line, i+1)
			}
			values = append(values, v)
		}
	}
}
