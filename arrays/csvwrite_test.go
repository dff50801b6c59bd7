package arrays

import (
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
	}{{Zeros(2, 2, 2), "is not a table"}, {[]complex128{1}, "no complex128"}, {Zeros(3, 1), "2 names are given for 1 columns"}} {
		var opts []CSVOption
		if strings.Contains(c.want, "names") {
			opts = append(opts, Columns("a", "b"))
		}
		if err := WriteCSV(&strings.Builder{}, c.x, opts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestWrittenCells: encoding/csv reads the cells of what is written, over several pieces.
func TestWrittenCells(t *testing.T) {
	defer func(rows int) { writtenRows = rows }(writtenRows)
	writtenRows = 50
	n := 4*writtenRows + 7
	r := rand.New(rand.NewPCG(5, 9))
	words, bits, wide := make([]string, n), make([]float64, n), make([]int64, n)
	for i := range n {
		words[i] = strings.ReplaceAll(oddTexts[r.IntN(len(oddTexts))], "\r\n", "\n") // encoding/csv changes it
		bits[i], wide[i] = math.Float64frombits(r.Uint64()), int64(r.Uint64())
	}
	bits[0], bits[1], bits[2], wide[3] = math.NaN(), math.Inf(-1), math.Copysign(0, -1), math.MinInt64
	days := FromSlice(wide).AsType(Int16).AsType(Int64)
	names := []string{"words", "f8", "f4", "f2", "i8", "i1", "u8", `yes, "no"`, "2019", "span", "back"}
	columns := []*Array{FromSlice(words), FromSlice(bits), FromSlice(bits).AsType(Float32), FromSlice(bits).AsType(Float16), FromSlice(wide), FromSlice(wide).AsType(Int8), FromSlice(wide).AsType(Uint64),
		FromSlice(wide).Gt(0), days.AsType(DateTime(Day)), days.AsType(TimeDelta(Second)), FromSlice(wide).Flip()}
	for _, comma := range []rune{',', '\t'} {
		path := filepath.Join(t.TempDir(), "t.csv")
		require.NoError(t, SaveTable(path, names, columns, Delimiter(comma)))
		file, err := os.Open(path)
		require.NoError(t, err)
		judge := csv.NewReader(file)
		judge.Comma = comma
		rows, err := judge.ReadAll()
		require.NoError(t, err)
		require.NoError(t, file.Close())
		require.Equal(t, names, rows[0])
		require.Len(t, rows, n+1)
		for row, cells := range rows[1:] {
			for i, x := range columns {
				one := x.At(row)
				want := one.Reshape(1).Strings()[0]
				switch d := x.dtype; {
				case (d.IsFloat() || d.IsTime()) && IsNaN(one).Bool():
					want = ""
				case d.IsFloat():
					want = strconv.FormatFloat(one.Float64(), 'g', -1, max(32, 8*d.Size()))
					if v, err := strconv.ParseInt(want, 10, 64); err == nil {
						want = fmt.Sprintf("%s.0", strings.TrimSuffix(want, fmt.Sprint(v))+fmt.Sprint(v))
					}
				}
				require.Equal(t, want, cells[i], "row %d of %s", row, names[i])
			}
		}
	}
}
