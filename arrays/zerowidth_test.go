package arrays

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoDTypeOfNoCharacters: whatever AsType(Str(0)) finds, its texts have room for a character. NumPy makes <U1 of empty texts,
// too: np.array([”, ”]).astype(str).
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
