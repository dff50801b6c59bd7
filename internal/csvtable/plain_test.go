package csvtable

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestPlainLines: lines of numbers beside lines that hold something else in one place, which are read in two ways, give
// what reading them cell by cell gives.
func TestPlainLines(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	odd := []string{"", " 1.5", "1.5 ", "NA", "1e5", "-", "+2.5", ".5", "5.", "1_0", "inf", "-nan", "0x10", "2019_01", "0x1p4", "null", "#N/A", "12345678901234567890.5", "0.00000000000000000001", "7,8", "1.5\r", "#2", "1 2", "x",
		"1e", "1e+", "1.5e-7", "2E+03", "1e-30", "1e300", "3e-5x", "1e-123", "1e0005", "e5", ".", "-.", "--1", "1.2.3", "\r", "\t4", "  ", "1234567890123456789", "00000000000000000000000000000000000001", "99999999999999999e15"}
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
		if fault := plainly(b.String(), ',', 3); fault != "" {
			t.Fatal(fault)
		}
	}
}

// FuzzPlainLines: so for arbitrary text.
func FuzzPlainLines(f *testing.F) {
	f.Add("1,2.5\n-3e5, 4\r\n,NA\n#\n\n", byte(','), 2)
	f.Add("12345678.12345678;0.1;1\n\n", byte(';'), 3)
	f.Fuzz(func(t *testing.T, text string, comma byte, width int) {
		const before = "0.1234567890123456,2,3,4\n0.1234567890123456,5,6,7\n"
		if width < 1 || width > 4 || comma >= 0x80 || strings.ContainsAny(string(rune(comma)), "\"#\n\r ") || comma < ' ' && comma != '\t' || strings.Contains(text, `"`) {
			return
		}
		lines := strings.Split(before, "\n")
		for i, line := range lines[:2] { // as many cells, before which enough stands for vector loops
			lines[i] = strings.Join(strings.Split(line, ",")[:width], string(rune(comma)))
		}
		if fault := plainly(strings.Join(lines, "\n")+text, comma, width); fault != "" {
			t.Fatal(fault)
		}
	})
}

// plainly says how numbers of a piece of lines of width cells differ from those that reading cell by cell gives, as a
// matrix or as columns.
func plainly(text string, comma byte, width int) string {
	whole := []byte(text)
	onlyNewlines(whole, 0, true)
	text = string(whole)
	o := optionsOf(delimiter(rune(comma)), comment("#"))
	o.WholeComments = true
	rows := func() (*table, *rowReader) {
		t := &table{path: "t", options: o, format: NewFormat(&o)}
		for i := range width {
			t.columns = append(t.columns, i)
		}
		piece := []byte(text)
		return t, &rowReader{text: piece, all: piece, lines: strings.Count(text, "\n") + 1, dialect: newDialect(&o), width: width}
	}
	one, r := rows()
	var want []float64
	wantErr := one.each(r, func(row []string) (err error) {
		want, err = one.parse(want, r.at, row)
		return err
	})
	two, r := rows()
	got, err := two.numbers(r)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !slices.EqualFunc(got, want, sameFloat) {
		return fmt.Sprintf("%q\ngives %v, %v\nwant  %v, %v", text, got, err, want, wantErr)
	}
	three, r := rows()
	wants := three.newCellLists(r, new(pieceSheets))
	wantErr = three.each(r, func(row []string) error {
		for i := range wants {
			wants[i].add(one.format, row[i], false)
		}
		return nil
	})
	four, r := rows()
	cells, err := four.readCells(r, false, false)
	if fmt.Sprint(err) != fmt.Sprint(wantErr) {
		return fmt.Sprintf("%q as columns\ngives %v\nwant  %v", text, err, wantErr)
	}
	if wantErr != nil {
		return ""
	}
	lists := cells.lists
	for i := range lists {
		a, b := &lists[i], &wants[i]
		if a.kinds != b.kinds || a.held != b.held || !slices.Equal(a.at, b.at) || !slices.EqualFunc(a.values, b.values, a.sameValue) {
			return fmt.Sprintf("%q as columns: column %d is %v %d %v %v\nwant %v %d %v %v", text, i, a.kinds, a.held, a.at, a.values, b.kinds, b.held, b.at, b.values)
		}
	}
	five, r := rows()
	cells, err = five.cells(r, true)
	lists = cells.lists
	if err != nil {
		return fmt.Sprintf("%q as columns: %v", text, err)
	}
	for i := range lists {
		a, b := &lists[i], &wants[i]
		for _, k := range []*cellKinds{&a.kinds, &b.kinds} { // of numbers that float64 has nobody asks
			k.negative = false
			if !k.whole {
				k.beyond, k.huge = false, false
			}
		}
		if b.held == holdsWhole && a.held == holdsFloats {
			b.asFloats()
		}
		if a.kinds != b.kinds || a.held != b.held || a.Len() != b.Len() || !slices.EqualFunc(a.values, b.values, a.sameValue) {
			return fmt.Sprintf("%q as columns without text: column %d is %v %d %v\nwant %v %d %v", text, i, a.kinds, a.held, a.values, b.kinds, b.held, b.values)
		}
	}
	return ""
}

// sameValue reports whether two values of a list are the same, or both missing.
func (c *Cells) sameValue(a, b int64) bool { return a == b || c.isGap(a) && c.isGap(b) }

// sameFloat reports whether two numbers are the same bits, or both NaN.
func sameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

// TestDecimalsOfLines: numbers of all lengths and forms, halfway ones between two float64 too, are read from lines as
// strconv reads them, to the bit.
func TestDecimalsOfLines(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6+uint64(testsize.Turn())))
	n := testsize.Of("internal/csvtable.TestDecimalsOfLines")
	const width = 7
	text, cells := make([]byte, 0, 25*n), make([]string, 0, n)
	for len(cells)%width != 0 || len(cells) < n {
		cells = append(cells, decimalText(random))
		text = append(text, cells[len(cells)-1]...)
		switch {
		case len(cells)%width != 0:
			text = append(text, ',')
		case random.IntN(8) == 0:
			text = append(text, "\r\n"...)
		default:
			text = append(text, '\n')
		}
	}
	o := optionsOf()
	p := plainLines{into: make([]float64, len(cells)), rows: len(cells) / width, line: width, cell: 1, width: width, comma: ',', points: make([]byte, width+1), gaps: make([]byte, width+1), format: NewFormat(&o)}
	lines, rest := p.read(text, 0)
	if len(rest) > 0 || lines != p.rows {
		t.Fatalf("%d lines of %d are read, up to %.100q", lines, p.rows, rest)
	}
	for i, v := range p.into {
		if want, err := strconv.ParseFloat(cells[i], 64); math.Float64bits(v) != math.Float64bits(want) {
			t.Fatalf("%q is read as %v, strconv says %v, %v", cells[i], v, want, err)
		}
	}
}

// decimalText returns a number of some kind.
func decimalText(random *rand.Rand) string {
	sign := []string{"", "-"}[random.IntN(2)]
	x := random.Float64() * math.Pow(10, float64(random.IntN(12)-6))
	switch random.IntN(10) {
	case 0:
		return strconv.FormatFloat(x, 'f', random.IntN(19), 64)
	case 1:
		return sign + strconv.FormatInt(random.Int64()>>random.IntN(63), 10)
	case 2: // a tie or its neighbour: a float64 and half of its ulp, of few enough digits
		places := random.IntN(12)
		m := random.Uint64()>>(10+places*5/2) | 1
		s := strconv.FormatFloat(float64(m)/float64(uint64(1)<<places), 'f', -1, 64)
		if m>>53 != 0 {
			s = strconv.FormatUint(m, 10)
		}
		return sign + s
	case 3: // 54 bits before the point and a half
		m := random.Uint64N(1<<53) | 1<<52
		return sign + strconv.FormatUint(m, 10) + []string{".5", ".50", ".51", ".49", ".500", ".25"}[random.IntN(6)]
	case 4: // a tie with a point, as m·5^k has them: (2m+1)/2^k
		k := 1 + random.IntN(4)
		m := (random.Uint64N(1<<53) | 1<<52) / 100 * 2
		m = (m | 1) << 1
		whole, part := m>>k, m&(1<<k-1)
		digits := strconv.FormatFloat(float64(part)/float64(uint64(1)<<k), 'f', -1, 64)
		return sign + strconv.FormatUint(whole, 10) + strings.TrimPrefix(digits, "0")
	case 5:
		return sign + strconv.FormatFloat(x, 'e', random.IntN(19), 64)
	case 6:
		d := strconv.FormatUint(random.Uint64N(1e19), 10)
		at := random.IntN(len(d) + 1)
		return sign + d[:at] + "." + d[at:] + "e" + strconv.Itoa(random.IntN(60)-30)
	case 7: // what lies between two float64, with as many digits as there may be
		exact := new(big.Float).SetPrec(60).SetFloat64(x)
		half := new(big.Float).SetMantExp(big.NewFloat(1), exact.MantExp(nil)-54)
		return sign + exact.Add(exact, half).Text('g', 17+random.IntN(3))
	case 8:
		return sign + "0." + strings.Repeat("0", random.IntN(10)) + strconv.FormatUint(random.Uint64()>>random.IntN(64), 10)
	}
	return sign + strconv.FormatFloat(x, 'g', -1, 64)
}
