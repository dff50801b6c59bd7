package frames

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// cellText is the text of one element by the simplest way.
func cellText(x *arrays.Array, row int) string {
	one := x.At(row)
	switch d := x.DType(); {
	case missing(one).Bool():
		return ""
	case d.IsString():
		return one.Item().(string)
	case d.IsBool():
		return map[bool]string{true: "True", false: "False"}[one.Bool()]
	case d.IsFloat():
		return strconv.FormatFloat(one.Float64(), 'g', -1, max(32, 8*d.Size()))
	case d.IsInt():
		return fmt.Sprint(one.Item())
	}
	return one.String()
}

// TestWriteAsCSV: what is written is byte for byte what package encoding/csv writes of the cells, over several pieces.
func TestWriteAsCSV(t *testing.T) {
	defer func(rows int) { pieceRows = rows }(pieceRows)
	pieceRows = 500
	n := 4*pieceRows + 77
	r := rand.New(rand.NewPCG(5, 9))
	odd := []string{"", "x", " x", "\u00a0x", "x ", "a,b", "a\tb", `"`, `say "no"`, `""`, "\n", "a\r\nb", `\.`, `\.x`, "é", "\U0001F600", "#", "'"}
	words, bits, wide, small, unsigned := make([]string, n), make([]float64, n), make([]int64, n), make([]int8, n), make([]uint64, n)
	numbers, yes := make([]complex128, n), make([]bool, n)
	for i := range n {
		words[i] = odd[r.IntN(len(odd))]
		bits[i] = math.Float64frombits(r.Uint64())
		wide[i], small[i], unsigned[i] = int64(r.Uint64()), int8(r.Uint64()), r.Uint64()
		numbers[i], yes[i] = complex(r.NormFloat64(), bits[i]), r.IntN(2) == 0
	}
	bits[0], bits[1], bits[2], wide[3] = math.NaN(), math.Inf(-1), math.Copysign(0, -1), math.MinInt64
	days := arrays.FromSlice(wide).AsType(arrays.Int16).AsType(arrays.Int64)
	table := New(
		"words", words, "f8", bits, "f4", arrays.FromSlice(bits).AsType(arrays.Float32), "f2", arrays.FromSlice(bits).AsType(arrays.Float16),
		"i8", wide, "i1", small, "u8", unsigned, "u1", arrays.FromSlice(unsigned).AsType(arrays.Uint8), `yes, "no"`, yes,
		"day", days.AsType(arrays.DateTime(arrays.Day)), "span", days.AsType(arrays.TimeDelta(arrays.Second)), "z", numbers,
		"back", arrays.FromSlice(wide).Flip(),
	)
	for _, c := range []struct {
		table *Table
		comma byte
	}{{table, ','}, {table, '\t'}, {table.Head(0), ','}, {table.Head(1), '\t'}, {table.Head(pieceRows), ','}, {table.Select("words"), ','}, {New(), ','}} {
		var got, want bytes.Buffer
		if err := c.table.write(&got, c.comma); err != nil {
			t.Fatal(err)
		}
		w := csv.NewWriter(&want)
		w.Comma = rune(c.comma)
		w.Write(c.table.Names())
		record := make([]string, len(c.table.Names()))
		for row := range c.table.Len() {
			for i, column := range c.table.columns {
				record[i] = cellText(column.Array(), row)
			}
			w.Write(record)
		}
		w.Flush()
		if !bytes.Equal(got.Bytes(), want.Bytes()) {
			g, h := bytes.Split(got.Bytes(), []byte("\n")), bytes.Split(want.Bytes(), []byte("\n"))
			for i := range min(len(g), len(h)) {
				if !bytes.Equal(g[i], h[i]) {
					t.Fatalf("line %d is\n%q, want\n%q", i, g[i], h[i])
				}
			}
			t.Fatalf("%d lines, want %d", len(g), len(h))
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	const n = 100_000
	r := rand.New(rand.NewPCG(5, 9))
	words, x, k := make([]string, n), make([]float64, n), make([]int64, n)
	for i := range n {
		words[i], x[i], k[i] = []string{"Oslo", "Bergen", "Trondheim"}[r.IntN(3)], r.NormFloat64(), r.Int64N(1_000_000)
	}
	day := arrays.FromSlice(k).Div(100).AsType(arrays.Int64).AsType(arrays.DateTime(arrays.Day))
	table := New("city", words, "x", x, "y", arrays.FromSlice(x).Mul(3), "k", k, "day", day, "positive", arrays.FromSlice(x).Gt(0))
	path := b.TempDir() + "/t.csv"
	for b.Loop() {
		if err := table.Write(path); err != nil {
			b.Fatal(err)
		}
	}
}
