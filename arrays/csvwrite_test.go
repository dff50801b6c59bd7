package arrays

import (
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestCSVComesBack: what is written is what is read.
func TestCSVComesBack(t *testing.T) {
	odd := FromSlice([]float64{0.1, math.Copysign(0, -1), math.NaN(), math.Inf(1), 5e-324, 1e22, 123456789.125, 1.0 / 3}, 4, 2)
	for _, name := range []string{"x.csv", "x.csv.gz"} {
		path := filepath.Join(t.TempDir(), name)
		if err := SaveCSV(path, odd); err != nil {
			t.Fatal(err)
		}
		got, err := LoadCSV(path)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != odd.String() || !slicesSame(got.Float64s(), odd.Float64s()) {
			t.Errorf("%s: wrote %v, read %v", name, odd, got)
		}
	}
	for _, x := range []*Array{
		FromSlice([]float32{0.1, 3e38, 1e-45}), FromSlice([]int{-5, math.MaxInt64}), FromSlice([]uint64{0, 1 << 63}), FromSlice([]bool{true, false}),
		FromSlice([]string{"plain", `with "quotes", and a comma`, "two\nlines", "# no comment"}), FromSlice([]string{"2024-02-29", "NaT"}).AsType(DateTime(Day)),
	} {
		var b strings.Builder
		if err := WriteCSV(&b, x, Columns("x")); err != nil {
			t.Fatal(err)
		}
		path := writeFile(t, "column.csv", b.String())
		named, err := LoadColumns(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := named["x"]; got == nil || !got.AsType(x.DType()).Eq(x).Or(x.DType().IsTime()).All().Bool() || got.Len() != x.Len() {
			t.Errorf("wrote %v as %q, read %v", x, b.String(), got)
		}
	}
}

func slicesSame(x, y []float64) bool {
	for i := range x {
		if math.Float64bits(x[i]) != math.Float64bits(y[i]) && !(x[i] != x[i] && y[i] != y[i]) {
			return false
		}
	}
	return len(x) == len(y)
}

func TestCSVIsRefused(t *testing.T) {
	for _, c := range []struct {
		x    any
		want string
	}{{Zeros(2, 2, 2), "is no table"}, {[]complex128{1}, "no complex128"}, {Zeros(3, 1), "2 names are given for 1 columns"}} {
		var opts []CSVOption
		if strings.Contains(c.want, "names") {
			opts = append(opts, Columns("a", "b"))
		}
		if err := WriteCSV(&strings.Builder{}, c.x, opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
