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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// No chart's text is wider than the window, and all of the window serves the plot. Colours change nothing but colours,
// of charts with one series in a plot.
func TestTextFitsTheTerminal(t *testing.T) {
	testsize.InTurn(t, 2)
	defer display.SetScreen(display.Screen{})
	for _, columns := range []int{40, 80, 132} {
		display.SetScreen(display.Screen{Columns: columns, Rows: 24, Colors: true})
		for i, c := range gallery() {
			require.NotContains(t, c.String(), "\x1b", "String has no colours")
			coloured := display.Plain(c.MIMEBundle().Text())
			require.NotContains(t, coloured, "\x1b")
			widest := 0
			for line := range strings.Lines(c.String() + "\n" + coloured) {
				widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, " \n")))
			}
			if widest > columns {
				t.Errorf("chart %d (%s) is %d wide in %d columns:\n%s", i, c.Title, widest, columns, c)
			}
		}
	}
}

// A chart of two plots fits into the window, title and all, where its plots can be made lower. In a file, which has no
// window, they keep their height.
func TestTextFitsTheRows(t *testing.T) {
	defer display.SetScreen(display.Screen{})
	x := []float64{0, 1, 2, 3}
	c := Line(x, x, Title("Height"))
	c.Panels = append(c.Panels, c.Panels[0])
	lines := func() int { return strings.Count(c.String(), "\n") + 1 }
	require.Equal(t, 25, lines(), "a title, and twice ten rows of a plot, its axis and its labels")
	for _, rows := range []int{60, 24, 20, 16} {
		display.SetScreen(display.Screen{Columns: 80, Rows: rows})
		assert.Less(t, lines(), rows)
		assert.GreaterOrEqual(t, lines(), min(25, rows-2), "no lower than it must be")
	}
}

// Series are told apart by marks, or by colours where the terminal has them. The points are y = 0 and y = x: where they
// meet, the later series is on top.
func TestSeriesInATerminal(t *testing.T) {
	defer display.SetScreen(display.Screen{})
	x := []float64{0, 10}
	c := &Chart{Title: "T", Panels: []Panel{{X: Axis{Label: "x", Unit: "m"}, Series: []Series{
		{Name: "flat", X: x, Y: []float64{0, 0}, Color: blue},
		{Name: "steep", X: x, Y: []float64{0, 10}, Color: vermillion},
	}}}}
	rows := strings.Split(c.String(), "\n")
	require.Len(t, rows, 1+textHeight+3+1)
	assert.Equal(t, "•", last(rows[10]), "the flat one ends at the right, below")
	assert.Equal(t, "o", last(rows[1]), "the steep one above")
	assert.Equal(t, "• flat   o steep", rows[len(rows)-1])
	assert.Equal(t, "x (m)", strings.TrimSpace(rows[len(rows)-2]), "the label is under the axis")
	assert.Regexp(t, `^ +0 +2 +4 +6 +8 +10$`, rows[len(rows)-3])
	assert.Regexp(t, `^10 │`, rows[1])
	assert.Regexp(t, `^ 0 │`, rows[10])

	display.SetScreen(display.Screen{Columns: 80, Rows: 24, Colors: true})
	t.Setenv("COLORTERM", "truecolor")
	text := c.MIMEBundle().Text()
	assert.Contains(t, text, "\x1b[38;2;0;114;178m━━\x1b[39m flat", "#0072B2 is 0, 114, 178")
	assert.NotContains(t, text, "•")
}

// The columns of a table stay below each other where the window has room for them.
func TestTablesKeepTheirColumnsInATerminal(t *testing.T) {
	defer display.SetScreen(display.Screen{})
	display.SetScreen(display.Screen{Columns: 40, Rows: 24})
	assert.Equal(t, "line        instr.  lanes", fitted("line        instr.  lanes"))
	assert.Equal(t, "more words than one line has room for,\nand so the rest stands below", fitted("more words than one line has room for, and so the rest stands below"))
}

// The values 1 to 9 and 40: quartiles 3.25 and 7.75, median 5.5, as NumPy's quantile gives them; whiskers to 1 and 9,
// since 40 is beyond 7.75 + 1.5·4.5.
func TestBoxPlotInATerminal(t *testing.T) {
	text := BoxPlot([]string{"a"}, [][]float64{{1, 2, 3, 4, 5, 6, 7, 8, 9, 40}}).String()
	row := strings.Split(text, "\n")[1]
	assert.Regexp(t, `^a │ *│░+[·╌]?─+┃─+[·╌]?░*│ +○│ median 5.5,`, row)
	assert.Contains(t, text, "░ within 1.5 boxes   ─ first to third quartile   ┃ median   ○ outlier", "glyphs are those of the row")
}

func last(s string) string {
	r := []rune(s)
	return string(r[len(r)-1])
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
