package arrays

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// sameColumn requires that what was read is what was written, in the dtype that want says.
func sameColumn(t *testing.T, want DType, wrote, read *Array, what string) {
	t.Helper()
	if want.IsString() {
		require.True(t, read.dtype.IsString(), "%v: %s", read.dtype, what)
	} else {
		require.Equal(t, want, read.dtype, what)
	}
	require.Equal(t, wrote.Shape(), read.Shape(), what)
	switch {
	case want.IsFloat():
		require.True(t, slicesSame(wrote.AsType(Float64).Float64s(), read.AsType(Float64).Float64s()), "%v, not %v: %s", read, wrote, what)
	case wrote.dtype.IsString() || want.IsTime():
		require.Equal(t, wrote.AsType(want).Strings(), read.Strings(), what)
	default:
		require.True(t, wrote.Eq(read).All().Bool(), "%v, not %v: %s", read, wrote, what)
	}
}

// sameMask requires that the mask that was read marks what the written one did; one of nothing may be left out.
func sameMask(t *testing.T, wrote, read []bool, what string) {
	t.Helper()
	if len(wrote) > 0 && FromSlice(wrote).Any().Bool() || len(read) > 0 && FromSlice(read).Any().Bool() {
		require.Equal(t, wrote, read, what)
	}
}

// TestTablesComeBackFromArrow: a random table that is written as Arrow is read back equal: names, dtypes, missing
// values and all others.
func TestTablesComeBackFromArrow(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	dir := t.TempDir()
	for round := range 300 {
		names, columns, masks := randomTable(r, r.IntN(12))
		for i, c := range columns {
			if round%2 == 0 && c.dtype.IsString() {
				columns[i] = c.AsType(StringDType)
			}
		}
		path := filepath.Join(dir, fmt.Sprint(round, []string{"t.arrow", "t.feather", "t.arrows"}[r.IntN(3)]))
		require.NoError(t, SaveTable(path, names, columns, MissingInto(masks)))
		got := map[string][]bool{}
		gotNames, read, err := LoadTable(path, MissingInto(got))
		require.NoError(t, err, "%q %v", names, columns)
		require.Equal(t, names, gotNames)
		for i, c := range columns {
			what := fmt.Sprintf("round %d, column %q, %v %v", round, names[i], c.dtype, c)
			want := c.dtype
			switch u := c.dtype; {
			case u == DateTime(Year), u == DateTime(Month):
				want = DateTime(Day)
			case u == DateTime(Hour):
				want = DateTime(Second)
			}
			sameColumn(t, want, c, read[i], what)
			sameMask(t, masks[names[i]], got[names[i]], what)
		}
	}
}

// TestTablesComeBackFromJSON: so are records of JSON, in the dtypes that JSON can tell: whole numbers are int64 or
// uint64, all others float64, texts that look like dates dates.
func TestTablesComeBackFromJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	dir := t.TempDir()
	for round := range 300 {
		names, columns, masks := randomTable(r, 1+r.IntN(12))
		for i, c := range columns {
			if round%2 == 0 && c.dtype.IsString() {
				columns[i] = c.AsType(StringDType)
			}
		}
		path := filepath.Join(dir, fmt.Sprint(round, []string{"t.json", "t.jsonl", "t.ndjson"}[r.IntN(3)]))
		infinite := false
		for _, c := range columns {
			infinite = infinite || c.dtype.IsFloat() && IsInf(c).Any().Bool()
		}
		err := SaveTable(path, names, columns, MissingInto(masks))
		if infinite {
			require.ErrorContains(t, err, "which JSON does not have")
			continue
		}
		require.NoError(t, err)
		got := map[string][]bool{}
		gotNames, read, err := LoadTable(path, MissingInto(got))
		require.NoError(t, err, "%q %v", names, columns)
		require.Equal(t, names, gotNames)
		for i, c := range columns {
			what := fmt.Sprintf("round %d, column %q, %v %v", round, names[i], c.dtype, c)
			mask := masks[names[i]]
			allGone := mask != nil && FromSlice(mask).All().Bool() || c.dtype.IsTime() && IsNaN(c).All().Bool() ||
				c.dtype.IsFloat() && IsNaN(c).All().Bool() || c.dtype.IsString() && c.Eq("").All().Bool()
			want := c.dtype
			switch d := c.dtype; {
			case allGone: // nothing tells what it was
				require.True(t, IsNaN(read[i]).All().Bool(), what)
				continue
			case d.IsUnsigned() && c.AsType(Uint64).Max().AsType(Uint64).Uint64s()[0] > 1<<63-1:
				want = Uint64
			case d.IsBool(), d.IsString():
			case d.IsInt() && !d.IsTime():
				want = Int64
			case d.IsFloat():
				want = Float64
			default:
				want = read[i].dtype
				require.True(t, want.isDate(), what)
			}
			if want.IsTime() {
				sameColumn(t, c.dtype, c, read[i].AsType(c.dtype), what)
				continue
			}
			if c.dtype == Float32 { // the fewest digits that give it back
				sameColumn(t, Float32, c, read[i].AsType(Float32), what)
				require.Equal(t, want, read[i].dtype, what)
				continue
			}
			sameColumn(t, want, c, read[i], what)
			sameMask(t, mask, got[names[i]], what)
		}
	}
}

// TestTablesComeBackFromNPZ: columns of an archive are what they were, missing numbers and dates too.
func TestTablesComeBackFromNPZ(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	dir := t.TempDir()
	for round := range 200 {
		names, columns, _ := randomTable(r, r.IntN(12))
		members := map[string]any{}
		for i, c := range columns {
			members[names[i]] = c
		}
		path := filepath.Join(dir, fmt.Sprint(round, "t.npz"))
		if err := SaveZ(path, members); err != nil {
			t.Log(names, err)
			continue
		}
		read, err := LoadZ(path)
		require.NoError(t, err, "%q", names)
		require.Len(t, read, len(names))
		for i, c := range columns {
			name := names[i]
			what := fmt.Sprintf("round %d, column %q, %v %v", round, name, c.dtype, c)
			require.Equal(t, c.dtype, read[name].dtype, what)
			sameColumn(t, c.dtype, c, read[name], what)
		}
	}
}
