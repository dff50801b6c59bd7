package lazy

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

func TestDisplay(t *testing.T) {
	for _, c := range []struct {
		name  string
		a     *Array
		text  string
		cells []string // of the table, row by row, header included
	}{
		{"vector", FromSlice([]float64{1, 2.5, 3}).Mul(2), "[2. 5. 6.]", []string{"0", "1", "2", "2", "5", "6"}},
		{"matrix", FromSlice([]int{1, 2, 3, 4}, 2, 2), "[[1 2]\n [3 4]]", []string{"", "0", "1", "0", "1", "2", "1", "3", "4"}},
		{"scalar", Scalar(7), "7", nil},
		{"bools", FromSlice([]bool{true, false}), "[ True False]", []string{"0", "1", "true", "false"}},
		{"empty", Zeros(0), "[]", nil},
		{"long", Arange(100), "", []string{"0", "1", "2", "⋯", "97", "98", "99", "0", "1", "2", "⋯", "97", "98", "99"}},
		{"deep", Zeros(2, 1, 1), "[[[0.]]\n\n [[0.]]]", []string{"", "0", "0", "0"}},
	} {
		b, err := display.Of(c.a)
		if err != nil {
			t.Fatal(c.name, err)
		}
		if c.text != "" && b.Text() != c.text {
			t.Errorf("%s: text %q, NumPy prints %q", c.name, b.Text(), c.text)
		}
		page := b.Data[display.TypeHTML].(string)
		if cells := tableCells(t, page); strings.Join(cells, "|") != strings.Join(c.cells, "|") {
			t.Errorf("%s: the table has %q, want %q", c.name, cells, c.cells)
		}
		if !strings.Contains(page, "shape "+shapeTuple(c.a.Shape())) || !strings.Contains(page, c.a.DType().String()) {
			t.Errorf("%s: the caption lacks shape or dtype: %s", c.name, page)
		}
	}
}

// Verbs of numbers write an array's elements, and evaluate it.
func TestPrintf(t *testing.T) {
	x := Linspace(0, 1, 3)
	if got, want := fmt.Sprintf("%.1f %5.2f %v", x.Mul(3), x.Sum(), x), "[0.0 1.5 3.0]  1.50 [0.  0.5 1. ]"; got != want {
		t.Errorf("Printf writes %q, not %q", got, want)
	}
}

// tableCells parses the fragment as XML, so that unclosed elements fail too, and returns the text of th and td.
func tableCells(t *testing.T, fragment string) (cells []string) {
	d := xml.NewDecoder(strings.NewReader("<p>" + fragment + "</p>"))
	in := false
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return cells
		}
		if err != nil {
			t.Fatalf("%v in %s", err, fragment)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if in = tok.Name.Local == "td" || tok.Name.Local == "th"; in {
				cells = append(cells, "")
			}
		case xml.EndElement:
			in = false
		case xml.CharData:
			if in {
				cells[len(cells)-1] += string(tok)
			}
		}
	}
}

func TestCaptionSaysWhereAndHowLong(t *testing.T) {
	x := FromSlice([]float64{1, 2, 3}).Exp()
	page := x.MIMEBundle().Data[display.TypeHTML].(string)
	if !strings.Contains(page, "host") || !strings.Contains(page, "measured") {
		t.Errorf("caption: %s", page)
	}
}
