package viz

import (
	"bytes"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// No chart's text is wider than the window, and all of the window serves the plot.
func TestTextFitsTheTerminal(t *testing.T) {
	defer display.SetScreen(display.Screen{})
	for _, columns := range []int{40, 80, 132} {
		display.SetScreen(display.Screen{Columns: columns, Rows: 24})
		for i, c := range gallery() {
			widest := 0
			for line := range strings.Lines(c.String()) {
				widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
			}
			if widest > columns {
				t.Errorf("chart %d (%s) is %d wide in %d columns:\n%s", i, c.Title, widest, columns, c)
			}
		}
	}
}

// The picture is as large as the window lets it be, and as dark as the terminal.
func TestTerminalPicture(t *testing.T) {
	defer display.SetScreen(display.Screen{})
	c := gallery()[0]
	for _, s := range []display.Screen{
		{Columns: 80, Rows: 24, CellWidth: 8, CellHeight: 16},
		{Columns: 40, Rows: 60, CellWidth: 8, CellHeight: 16},
		{Columns: 200, Rows: 60, CellWidth: 16, CellHeight: 34, Dark: true},
	} {
		display.SetScreen(s)
		data, _ := c.MIMEBundle().Data[display.TypeTerminal].([]byte)
		m, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if dir := *galleryDir; dir != "" {
			os.WriteFile(filepath.Join(dir, map[bool]string{true: "dark.png", false: "light.png"}[s.Dark]), data, 0o644)
		}
		size := m.Bounds().Size()
		if size.X > s.Columns*s.CellWidth || size.Y > s.Rows*s.CellHeight || size.X < s.Columns*s.CellWidth/2 && size.X < width && size.Y < (s.Rows-6)*s.CellHeight {
			t.Errorf("%+v: a picture of %v", s, size)
		}
		if y := color.GrayModel.Convert(m.At(1, 1)).(color.Gray).Y; (y < 128) != s.Dark {
			t.Errorf("%+v: the paper has %d", s, y)
		}
	}
	display.SetScreen(display.Screen{Columns: 80, Rows: 24})
	if c.MIMEBundle().Data[display.TypeTerminal] != nil {
		t.Error("a picture for a terminal that shows none")
	}
}
