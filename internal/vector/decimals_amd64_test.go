package vector

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"
	"unsafe"
)

// TestDecimals: cells are read up to the first that is not a number, with the bits that strconv gives, to where they
// belong; and nothing else is written.
func TestDecimals(t *testing.T) {
	if !hasDecimals {
		t.Skip("this processor has no such loop")
	}
	var powers [41][4]uint64
	for k := range powers {
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil)
		float, _ := new(big.Float).SetInt(power).Float64()
		share := new(big.Int).Quo(new(big.Int).Lsh(big.NewInt(1), uint(63+power.BitLen())), power)
		powers[k] = [4]uint64{power.Uint64(), math.Float64bits(float), share.Uint64(), uint64(1023+2-power.BitLen()) << 52}
	}
	const width = 3
	rows := [][width]string{
		{"0.5", "-1", "12345.678901234567"}, {"-0", ".25", "5."}, {"1.5e-7", "-2.5E+1", "0.12345678901234567"},
		{"999999999999999", "0.1", "-1234567890.123456789"}, {"1", "2", "NA"},
	}
	text := strings.Repeat("#", DecimalsBehind)
	for i, row := range rows {
		text += strings.Join(row[:], []string{";", "; "}[i%2]) + []string{"\n", "\r\n"}[i%2]
	}
	text += strings.Repeat("#", DecimalsAhead)
	into, points := make([]float64, 2*width*len(rows)), make([]byte, width+1)
	for i := range into {
		into[i] = 7
	}
	d := Decimals{Text: unsafe.Pointer(unsafe.StringData(text)), Into: unsafe.Pointer(&into[0]), Powers: unsafe.Pointer(&powers), Points: unsafe.Pointer(&points[0]),
		At: DecimalsBehind, Cells: width, Lines: len(rows), Width: width, Cell: 16, Line: 16 * width, Comma: ';'}
	d.Last = unsafe.Add(d.Text, len(text)-DecimalsAhead)
	d.Read()
	if d.Cells != 1 || d.Lines != 1 || !strings.HasPrefix(text[d.At:], "NA") || !strings.HasPrefix(text[d.Begun:], "1;2;NA") {
		t.Fatalf("it stands at %q with %d cells and %d lines left", text[d.At:], d.Cells, d.Lines)
	}
	for i, v := range into {
		want := 7.0
		if cell := i / 2; i%2 == 0 && cell < width*len(rows)-1 {
			want, _ = strconv.ParseFloat(rows[cell/width][cell%width], 64)
		}
		if math.Float64bits(v) != math.Float64bits(want) {
			t.Errorf("number %d is %v, not %v", i, v, want)
		}
	}
	if points[3] != 1 || points[2] != 1 || points[1] != 1 || points[0] != 0 {
		t.Errorf("columns with points: %v", points)
	}
}
