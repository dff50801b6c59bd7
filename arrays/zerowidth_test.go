package arrays

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWidestTexts: arrays of the widest texts are copied, compared and taken from as others are.
func TestWidestTexts(t *testing.T) {
	long := strings.Repeat("é", maxChars)
	a := FromSlice([]string{long, "b", long[:maxChars]})
	require.Equal(t, Str(maxChars), a.DType())
	require.Equal(t, []string{long, "b", long[:maxChars]}, a.Copy().Strings())
	require.Equal(t, []bool{true, false, false}, a.Eq(long).Bools())
	require.Equal(t, "b", a.At([]int{1}).AsType(Str(0)).At(0).Item())
	require.Equal(t, "b", Sort(a).At(0).Item())
	require.Equal(t, 3, Unique(a).Len())
	require.Equal(t, 6, Concat(Axis(0), a, a).Len())
	require.Equal(t, []string{"b"}, a.T().Reshape(3, 1).At(1).Strings())
	require.NotPanics(t, func() { _ = a.String() })
}

// TestNoDTypeOfNoCharacters: whatever AsType(Str(0)) finds, its texts have room for a character. NumPy makes <U1 of
// empty texts, too: np.array([”, ”]).astype(str).
func TestNoDTypeOfNoCharacters(t *testing.T) {
	for name, c := range map[string]struct {
		a    *Array
		want DType
		text string
	}{
		"empty texts":    {FromSlice([]string{"", ""}), Str(1), ""},
		"wide and empty": {New(Str(40), 3), Str(1), ""},
		"one of them":    {FromSlice([]string{"", "ab"}).At(0), Str(1), ""},
		"no elements":    {New(Int64, 0, 3), Str(1), "none"},
		"no texts":       {New(Str(5), 0), Str(1), "none"},
		"bools":          {FromSlice([]bool{true}), Str(4), "True"},
		"no time":        {FromSlice([]string{"NaT"}).AsType(DateTime(Day)), Str(3), "NaT"},
	} {
		got := c.a.AsType(Str(0))
		require.Positive(t, got.DType().Size(), name)
		require.Equal(t, c.a.Shape(), got.Shape(), name)
		require.NotPanics(t, func() { _ = got.String(); got.Copy(); _ = got.Bytes() }, name)
		if c.text != "none" {
			require.Equal(t, c.text, got.Reshape(-1).At(0).Item(), name)
		}
		require.Equal(t, c.want, got.DType(), name)
	}
}
