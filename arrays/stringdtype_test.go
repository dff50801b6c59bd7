package arrays

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// texts returns a StringDType array.
func texts(v ...string) *Array { return FromSlice(v).AsType(StringDType) }

// TestStringDTypeIsChosen: where elements as wide as the longest would cost more than 32 MB and 16 times as much, and
// nowhere else.
func TestStringDTypeIsChosen(t *testing.T) {
	long := strings.Repeat("n", 1_000_000)
	assert.Equal(t, Str(1_000_000), FromSlice([]string{long}).DType())
	assert.Equal(t, StringDType, FromSlice([]string{long + strings.Repeat("é", 50_000)}).DType(), "no array has such wide elements")
	assert.Equal(t, StringDType, Scalar(strings.Repeat("é", maxChars+1)).DType())
	names := slices.Repeat([]string{"ab"}, 20_000)
	assert.Equal(t, Str(2), FromSlice(names).DType())
	taken := takes(func() {
		a := FromSlice(append(names, long), 20_001, 1)
		assert.Equal(t, StringDType, a.DType())
		assert.Equal(t, long, a.At(-1, 0).Item())
		assert.Equal(t, 20_001*16, a.NBytes())
		assert.Equal(t, "[['ab']\n ['ab']]", a.At(To(2)).String())
	})
	assert.Less(t, taken, uint64(128<<20))
}

func TestStringDTypeAsType(t *testing.T) {
	a := texts("1", "22", "", "é日")
	assert.Equal(t, "StringDType()", a.DType().String())
	assert.Equal(t, "array(['1', '22', '', 'é日'], dtype=StringDType())", a.GoString())
	assert.Equal(t, Str(2), a.AsType(Str(0)).DType())
	assert.Equal(t, []string{"1", "2", "", "é"}, a.AsType(Str(1)).Strings())
	assert.Equal(t, []int64{1, 22}, a.At(To(2)).AsType(Int64).Int64s())
	assert.Equal(t, []string{"1.5", "nan"}, FromSlice([]float64{1.5, 0}).Div([]float64{1, 0}).AsType(StringDType).Strings())
	assert.Equal(t, []string{"2020-01-02"}, FromSlice([]string{"2020-01-02"}).AsType(DateTime(Day)).AsType(StringDType).Strings())
	assert.Equal(t, []string{"a\ufffd\ufffdb"}, FromSlice([]string{"a\xff\xfeb"}).AsType(StringDType).Strings())
	assert.Equal(t, []string{"a\ufffd\ufffdb"}, FromSlice([]string{"a\xff\xfeb", strings.Repeat("x", maxChars+1)}).At(To(1)).Strings())
	assert.Equal(t, StringDType, Promote(Str(3), StringDType))
	assert.Equal(t, StringDType, Concat(0, a, []string{"abcdef"}).DType())
	assert.True(t, StringDType.IsString())
	assert.Equal(t, "x", texts("x").Item())
	require.ErrorContains(t, caught(func() { a.Bytes() }), "have no bytes of their own; Strings returns the texts")
	require.ErrorContains(t, caught(func() { FromBytes(StringDType, []int{1}, make([]byte, 16)) }), "have no bytes of their own")
	require.ErrorContains(t, caught(func() { Promote(StringDType, Int64) }), "no common dtype")
	require.ErrorContains(t, caught(func() { texts("x").AsType(Float64) }), `the text "x" is not a valid float64`)
}

// TestStringDTypeFiles: Arrow, CSV and JSON write texts of any length; .npy, which has none, as wide as the longest
// where that wastes nothing.
func TestStringDTypeFiles(t *testing.T) {
	dir := t.TempDir()
	long := strings.Repeat("n", 1_000_000)
	wide := FromSlice(append(slices.Repeat([]string{"ab", "", "é\"", "NA"}, 5000), long))
	require.Equal(t, StringDType, wide.DType())
	small := texts("a", "", "bcd")
	npy := filepath.Join(dir, "a.npy")
	require.NoError(t, Save(npy, small))
	back, err := Load(npy)
	require.NoError(t, err)
	assert.Equal(t, Str(3), back.DType())
	assert.Equal(t, small.Strings(), back.Strings())
	require.NoError(t, SaveZ(filepath.Join(dir, "a.npz"), map[string]any{"x": small}))
	require.ErrorContains(t, Save(npy, wide), "as wide as the longest, of 1000000 characters: 20001 of them would take 80 GB; SaveArrow and SaveTable write texts of any length")
	require.ErrorContains(t, SaveZ(filepath.Join(dir, "b.npz"), map[string]any{"x": wide}), "80 GB")
	require.ErrorContains(t, Save(npy, ofTexts([]string{"a\x00"})), "ends in a zero character")
	back, err = Load(npy)
	require.NoError(t, err, "what was there stays")
	assert.Equal(t, small.Strings(), back.Strings())
	for _, name := range []string{"a.csv", "a.csv.gz", "a.arrow", "a.arrows"} {
		path := filepath.Join(dir, name)
		require.NoError(t, SaveTable(path, []string{"t", "n"}, []*Array{wide, Arange(wide.Len())}), name)
		_, columns, err := LoadTable(path)
		require.NoError(t, err, name)
		assert.Equal(t, StringDType, columns[0].DType(), name)
		assert.True(t, slices.Equal(wide.Strings(), columns[0].Strings()), name)
	}
	b, err := wide.MarshalJSON()
	require.NoError(t, err)
	var again Array
	require.NoError(t, again.UnmarshalJSON(b))
	assert.True(t, slices.Equal(wide.Strings(), again.Strings()))
	assert.Equal(t, StringDType, again.DType())
	typed := filepath.Join(dir, "typed.csv")
	require.NoError(t, os.WriteFile(typed, []byte("a,b\nx,1\nyy,2\n"), 0o600))
	_, columns, err := LoadTable(typed, ColumnType("a", StringDType), ColumnType("b", StringDType), TextWidth(1))
	require.NoError(t, err)
	assert.Equal(t, []string{"x", "y"}, columns[0].Strings())
	assert.Equal(t, StringDType, columns[1].DType())
	var csv bytes.Buffer
	require.NoError(t, WriteCSV(&csv, small))
	assert.Equal(t, "a\n\"\"\nbcd\n", csv.String())
}

// TestStringDTypeSurvivesCollections: texts live as long as an array that has them, whatever moves them, while the
// collector runs all the time. With GODEBUG=gccheckmark=1 the collector itself says if it was not told of one.
func TestStringDTypeSurvivesCollections(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(1))
	stop, done := make(chan bool), make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				close(done)
				return
			default:
				runtime.GC()
			}
		}
	}()
	const n = 3000
	word := func(i int) string { return fmt.Sprintf("%07d text that lies in memory of its own", i) }
	v := make([]string, n)
	for i := range v {
		v[i] = word(i)
	}
	a := FromSlice(v).AsType(StringDType)
	odd := Arange(n).Mod(2).Eq(1)
	for range 12 {
		a = a.At(S(End, End, -1)).Copy()
		a = Concat(0, a.At(To(n/2)), a.At(From(n/2)))
		a = a.At(Arange(n))
		a = Concat(0, a.At(odd), a.At(LogicalNot(odd)))
		a = a.Reshape(n/10, 10).Sort(0).T().Copy().T().Reshape(-1)
		a = Where(odd, a, a)
		a = Take(a, ArgSort(a))
		a.Set(a.At(S(0, n, 3)).Copy(), S(0, n, 3))
		a = Roll(a.AsType(Str(60)).AsType(StringDType), 1)
		a = Sort(a)
		z := New(StringDType, n)
		z.Set(a)
		a = Into(New(StringDType, n)).Take(z, Arange(n))
	}
	close(stop)
	<-done
	runtime.GC()
	assert.True(t, slices.Equal(v, a.Strings()))
}

// TestStringDTypeMemory: an array of many texts and a long one takes what these have.
func TestStringDTypeMemory(t *testing.T) {
	budget.Ask(func(what string, bytes int64) error {
		if bytes > 64<<20 {
			return fmt.Errorf("%s takes %s", what, budget.Bytes(bytes))
		}
		return nil
	})
	defer budget.Ask(nil)
	a := FromSlice(append(slices.Repeat([]string{"ab", "c"}, 10_000), strings.Repeat("n", 1_000_000)))
	assert.Equal(t, 3, Unique(a).Len())
	assert.Equal(t, "ab", Sort(a).At(0).Item())
	assert.Equal(t, 10_000, a.Eq("c").Sum().Int())
	assert.Less(t, len(a.String()), 1_000_200, "NumPy writes elements whole, too")
}
