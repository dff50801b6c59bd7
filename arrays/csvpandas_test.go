package arrays

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/csvtable"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestCSVAsPandas: 600 small files are what pandas makes of them, in dtypes, missing values and all others, but for
// what docs/numpy.md names. The files and the answers are of tests/golden/make_csv.py.
func TestCSVAsPandas(t *testing.T) {
	testsize.InTurn(t, 0)
	text, err := os.ReadFile("testdata/csv.json")
	require.NoError(t, err)
	var golden struct {
		Pandas string
		Files  []struct {
			Text          string
			Names, DTypes []string
			Cells         [][]*string
		}
	}
	require.NoError(t, json.Unmarshal(text, &golden))
	require.GreaterOrEqual(t, len(golden.Files), 600)
	defaults := gather(nil)
	same, other := 0, map[string]int{}
	for _, f := range golden.Files {
		names, columns, err := LoadTable(writeFile(t, "t.csv", f.Text), Header(true))
		require.NoError(t, err, "%q", f.Text)
		require.Equal(t, f.Names, names, "%q", f.Text)
		for i, x := range columns {
			what := fmt.Sprintf("column %q of %q: %v %v, pandas says %s", names[i], f.Text, x.dtype, x, f.DTypes[i])
			require.Equal(t, len(f.Cells[i]), x.Len(), what)
			kind := x.dtype.String()
			if x.dtype.IsString() {
				kind = "text"
			}
			missing := 0
			for _, cell := range f.Cells[i] {
				if cell == nil {
					missing++
				}
			}
			difference := ""
			switch {
			case kind == f.DTypes[i]:
				same++
			case kind == "text" && f.DTypes[i] == "float64" && missing > 0: // it rounds whole numbers
				difference = "rounded"
			default:
				t.Fatal(what)
			}
			for k, cell := range f.Cells[i] {
				one := x.At(k)
				switch {
				case cell == nil:
					gone := x.dtype.IsFloat() && IsNaN(one).Bool() || x.dtype.IsString() && one.Item().(string) == ""
					require.True(t, gone, "row %d of %s", k, what)
				case difference == "rounded":
					v, err := strconv.ParseFloat(one.Item().(string), 64)
					require.NoError(t, err)
					want, err := strconv.ParseFloat(*cell, 64)
					require.NoError(t, err)
					require.Equal(t, want, v, "row %d of %s", k, what)
				case x.dtype.IsFloat():
					want, err := strconv.ParseFloat(*cell, 64)
					require.NoError(t, err)
					require.Equal(t, want, one.Float64(), "row %d of %s", k, what)
				case x.dtype.IsString() && one.Item().(string) == "" && beyondInt64(x) && csvtable.NewFormat(&defaults.Options).IsMissing(*cell): // pandas leaves words beside uint64
					difference = "uint64 with missing ones"
				case x.dtype.IsString() && one.Item().(string) != *cell: // bools with missing ones, which pandas writes in its way
					require.True(t, missing > 0 && strings.EqualFold(one.Item().(string), *cell), "row %d is %q, not %q: %s", k, one.Item(), *cell, what)
					difference = "bools"
				case x.dtype.IsBool():
					require.Equal(t, *cell == "True", one.Bool(), "row %d of %s", k, what)
				default:
					require.Equal(t, *cell, fmt.Sprint(one.Item()), "row %d of %s", k, what)
				}
			}
			if difference != "" {
				other[difference]++
			}
		}
	}
	t.Logf("%d columns are as those of pandas %s; others: %v", same, golden.Pandas, other)
	require.Greater(t, same, 1000)
}

// beyondInt64 reports whether all texts that are not empty are whole numbers, and one is beyond int64.
func beyondInt64(x *Array) bool {
	beyond := false
	for _, s := range x.Strings() {
		_, err := strconv.ParseInt(s, 10, 64)
		beyond = beyond || s != "" && err != nil
		if s != "" && !csvtable.IsWhole(s) {
			return false
		}
	}
	return beyond
}
