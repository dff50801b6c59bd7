package arrays_test

import (
	"fmt"
	"testing"
	"time"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// What fmt writes of an array for a verb is what it writes of the elements.
func TestPrintVerbs(t *testing.T) {
	floats, ints := np.FromSlice([]float64{1, -2.5, 1e6}), np.Arange(3)
	for _, c := range []struct {
		format string
		value  any
		want   string
	}{
		{"%v", floats, floats.String()},
		{"%s", floats, floats.String()},
		{"%+v", floats, floats.String()},
		{"%#v", ints, "array([0, 1, 2])"},
		{"%.1f", floats, "[      1.0      -2.5 1000000.0]"},
		{"%-9.1f|", floats, "[1.0       -2.5      1000000.0]|"},
		{"%+.0f", ints, "[+0 +1 +2]"},
		{"%g", floats, "[    1  -2.5 1e+06]"},
		{"%03d", ints, "[000 001 002]"},
		{"%x", np.Arange(9, 12), "[9 a b]"},
		{"%4v", ints, "[   0    1    2]"},
		{"%.2v", np.FromSlice([]float64{1. / 3}), "[0.33]"},
		{"%q", np.FromSlice([]string{"a", "bc"}), `[ "a" "bc"]`},
		{"%5s", np.FromSlice([]string{"a", "bc"}), "[    a    bc]"},
		{"%t", np.FromSlice([]bool{true, false}), "[ true false]"},
		{"%.1f", np.FromSlice([]complex128{1 + 2i}), "[(1.0+2.0i)]"},
		{"%.2f", np.FromSlice([]float32{0.1}).AsType(np.Float16), "[0.10]"},
		{"%12v", np.FromSlice([]time.Time{time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)}).AsType(np.DateTime(np.Day)), "[  2024-02-29]"},
		{"%.2f", floats.At(1), "-2.50"},
		{"%8.2f", floats.Sum(), "999998.50"},
		{"%.1f", np.Arange(3).Sum(), "3.0"},
		{"%6v|", floats.At(1), "  -2.5|"},
		{"%.1f", np.Zeros(0, 3), "[]"},
		{"%.1f", np.Arange(6).Reshape(2, 3).T(), "[[0.0 3.0]\n [1.0 4.0]\n [2.0 5.0]]"},
		{"%d", floats.At(1), "%!d(float64=-2.5)"}, // as of the number
	} {
		if got := fmt.Sprintf(c.format, c.value); got != c.want {
			t.Errorf("Printf(%q) of %v gives %q, not %q", c.format, c.value, got, c.want)
		}
	}
	if got, want := fmt.Sprintf("%.0f", np.Arange(2000)), "[   0    1    2 ... 1997 1998 1999]"; got != want {
		t.Errorf("a long array gives %q, not %q", got, want)
	}
	if got := fmt.Sprint((*np.Array)(nil)); got != "<nil>" {
		t.Errorf("a nil array gives %q", got)
	}
}
