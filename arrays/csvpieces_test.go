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
)

// TestPiecesAreOneTable: wherever a table is cut, its numbers are those that encoding/csv and strconv read from the whole, and its
// columns those of the table in one piece; the first fault is on the same line.
func TestPiecesAreOneTable(t *testing.T) {
	defer func(n int) { pieceBytes = n }(pieceBytes)
	random := rand.New(rand.NewPCG(3, 4))
	path := filepath.Join(t.TempDir(), "t.csv")
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
	for range 300 {
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
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		pieceBytes = 1 << 20
		names, columns, tableErr := LoadTable(path, Header(false))
		whole := fmt.Sprint(names, dtypesOf(columns), columns, tableErr)
		for _, n := range []int{1, 7, 100} {
			pieceBytes = n
			a, err := readCSV(strings.NewReader(text), "t", Header(false))
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

// TestPlainLines: lines of numbers beside lines that hold something else in one place, which are read in two ways, give what
// reading them cell by cell gives.
func TestPlainLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	odd := []string{"", " 1.5", "1.5 ", "NA", "1e5", "-", "+2.5", ".5", "5.", "1_0", "inf", "-nan", "0x10", "12345678901234567890.5", "0.00000000000000000001", "7,8", "1.5\r", "#2", "1 2", "x"}
	for range 3000 {
		var b strings.Builder
		b.WriteString("0.5,0.25,-1.5\n")
		for range 12 {
			at := random.IntN(40)
			for i := range 3 {
				if i > 0 {
					b.WriteByte(',')
				}
				switch {
				case i == at:
					b.WriteString(odd[random.IntN(len(odd))])
				case random.IntN(4) == 0:
					fmt.Fprint(&b, random.IntN(1000)-500)
				default:
					fmt.Fprintf(&b, "%.*f", random.IntN(19), random.NormFloat64())
				}
			}
			b.WriteString([]string{"\n", "\r\n"}[random.IntN(2)])
		}
		text := b.String()
		rows := func() (*table, *csvRows) {
			return &table{path: "t", columns: []int{0, 1, 2}}, &csvRows{text: []byte(text), lines: 20, comma: ',', trim: true, width: 3}
		}
		one, r := rows()
		var want []float64
		wantErr := one.each(r, func(row []string) (err error) {
			want, err = one.parse(want, r.line, row)
			return err
		})
		two, r := rows()
		got, err := two.numbers(nil, r)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q\ngives %v, %v\nwant  %v, %v", text, got, err, want, wantErr)
		}
		three, r := rows()
		lists := newCellLists(3, r)
		add := func(row []string) error {
			for i := range lists {
				lists[i].add(strings.TrimSpace(row[i]))
			}
			return nil
		}
		err = three.eachPlain(r, func(text []byte) ([]byte, bool) {
			if !areFloats(lists) {
				return nil, false
			}
			return plainCells(lists, text, ',')
		}, add)
		four, r := rows()
		wants := newCellLists(3, r)
		plainly := lists
		lists = wants
		wantErr = four.each(r, add)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || fmt.Sprint(plainly) != fmt.Sprint(wants) {
			t.Fatalf("%q as columns\ngives %v, %v\nwant  %v, %v", text, plainly, err, wants, wantErr)
		}
	}
}
