package viz

import (
	"math"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/arrays"
)

func table(rows, cols int, vals ...float64) *arrays.Array {
	return arrays.FromSlice(vals).Reshape(rows, cols)
}

// Lanes counts who works, leaves out what is not a lane, and says the same in all its forms.
func TestLanesCountsWhoWorks(t *testing.T) {
	c := Lanes(table(2, 4, 1, 1, 1, 0, 2, 0, 0, math.NaN()), Title("Halving"))
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	if got := strings.Join(c.Notes, " "); !strings.Contains(got, "4 of 7 at work: 57.1 %") {
		t.Errorf("notes %q", got)
	}
	want := "0 │███·│\n1 │█·· │"
	if s := c.String(); !strings.Contains(s, want) || !strings.HasPrefix(s, "Halving") {
		t.Errorf("text:\n%s\nwant in it\n%s", s, want)
	}
	z := c.Panels[0].Series[0].Grid.Z
	if z[0] != 1 || z[3] != 0 || z[4] != 1 || !math.IsNaN(z[7]) {
		t.Errorf("cells %v", z)
	}
	if svg := string(c.SVG()); !strings.Contains(svg, "at work") || !strings.Contains(svg, "idle") {
		t.Error("the picture lacks the legend")
	}
}

func TestLanesWithNumbers(t *testing.T) {
	c := Lanes([][]float64{{1}}, CellValues(1)) // no array
	if c.Err == nil {
		t.Error("a slice of slices was taken")
	}
	c = Lanes(table(2, 2, 1, 1, 1, 0), CellValues(table(2, 2, 11, 22, 33, 22)))
	if c.Err != nil {
		t.Fatal(c.Err)
	}
	s := c.Panels[0].Series
	if len(s) != 2 || len(s[0].Boxes) != 3 || len(s[1].Boxes) != 1 || s[0].Boxes[2].Label != "33" || s[1].Boxes[0].Label != "22" {
		t.Errorf("boxes %+v", s)
	}
	if b := s[1].Boxes[0]; b.X0 != 0.5 || b.X1 != 1.5 || b.Y0 != 0.5 || b.Y1 != 1.5 || strings.Join(b.Tip, "; ") != "step 1, lane 1: idle; 22" {
		t.Errorf("the last cell is %+v", b)
	}
	if text := c.String(); !strings.Contains(text, "0 │ 11 22│\n1 │ 33  ·│") {
		t.Errorf("text:\n%s", text)
	}
	if svg := string(c.SVG()); !strings.Contains(svg, ">33<") {
		t.Error("the picture lacks the numbers")
	}
}

func TestLanesRefuses(t *testing.T) {
	for says, c := range map[string]*Chart{
		"shape [4]; want two axes":          Lanes(arrays.FromSlice([]float64{1, 0, 1, 0})),
		"shape [1 2] and the lanes [2 1]":   Lanes(table(2, 1, 1, 0), CellValues(table(1, 2, 1, 0))),
		"want at most 40,000":               Lanes(arrays.Zeros(300, 300)),
		"too many to write numbers in":      Lanes(arrays.Zeros(40, 40), CellValues(arrays.Zeros(40, 40))),
		"axes cannot be logarithmic":        Lanes(table(1, 2, 1, 0), LogX()),
		"the array is int; want an array":   Lanes(3),
		"CellValues is string; want an arr": Lanes(table(1, 2, 1, 0), CellValues("x")),
	} {
		if c.Err == nil || !strings.Contains(c.Err.Error(), says) {
			t.Errorf("%v, want %q", c.Err, says)
		}
	}
}
