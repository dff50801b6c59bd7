package frames

import (
	"fmt"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// A table of more rows or columns than these shows the first and the last ones.
const (
	shownRows, edgeRows       = 60, 5
	shownColumns, edgeColumns = 20, 8
)

// String returns the table as text, aligned, with the number of its rows and columns; of a large one the first and last
// rows and columns. Where a terminal is in front of the session, a row is one line of it: columns in the middle are
// left out where they do not fit. It evaluates the columns.
func (t *Table) String() string {
	shown := t.shown(some(len(t.columns), shownColumns, edgeColumns))
	if room := display.CurrentScreen().Columns; room > 0 && len(shown) > 0 {
		shown = shown.fitted(room)
	}
	if len(shown) == 0 {
		return "\n" + t.size()
	}
	var b strings.Builder
	for r := range shown[0].cells {
		line := ""
		for i, c := range shown {
			if i > 0 {
				line += gap
			}
			pad := strings.Repeat(" ", c.width-runewidth.StringWidth(c.cells[r]))
			if c.numeric {
				line += pad + c.cells[r]
			} else {
				line += c.cells[r] + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String() + strings.Join(append([]string{t.size()}, t.notes...), "\n")
}

// gap stands between columns of text.
const gap = "  "

// shownColumn is what is shown of a column, or of those that are left out.
type shownColumn struct {
	cells   []string // the name, then the rows that are shown
	width   int      // of the widest, in characters of a terminal
	numeric bool
	title   string // what it is
}

type shownTable []shownColumn

func newShown(cells []string, numeric bool, title string) shownColumn {
	c := shownColumn{cells: cells, numeric: numeric, title: title}
	for _, cell := range cells {
		c.width = max(c.width, runewidth.StringWidth(cell))
	}
	return c
}

// leftOut stands for columns that are not shown.
func leftOut(rows int) shownColumn { return newShown(slices.Repeat([]string{elided}, rows), false, "") }

// fitted returns t with as many of the first and the last columns as a line of so many characters has room for, and
// what is wider than that cut.
func (t shownTable) fitted(room int) shownTable {
	width := 0
	for _, c := range t {
		width += c.width + len(gap)
	}
	if width-len(gap) <= room {
		return t
	}
	rows := len(t[0].cells)
	room-- // for what stands for those in the middle; a gap is behind each of the others
	var left, right shownTable
	for next, last := 0, len(t)-1; next <= last; {
		c, fromLeft := t[next], len(left) <= len(right)
		if !fromLeft {
			c = t[last]
		}
		if c.width+len(gap) > room && len(left) > 0 {
			break
		}
		if c.width+len(gap) > room { // the first is wider than the line
			c = c.cut(max(room-len(gap), 1))
		}
		if room -= c.width + len(gap); fromLeft {
			left, next = append(left, c), next+1
		} else {
			right, last = append(right, c), last-1
		}
	}
	if len(left)+len(right) == len(t) {
		return append(left, right...)
	}
	// The mark of columns that were left out before is not needed twice.
	if left[len(left)-1].cells[0] == elided {
		left = left[:len(left)-1]
	}
	if n := len(right); n > 0 && right[n-1].cells[0] == elided {
		right = right[:n-1]
	}
	left = append(left, leftOut(rows))
	slices.Reverse(right)
	return append(left, right...)
}

// cut returns c no wider than that.
func (c shownColumn) cut(width int) shownColumn {
	cells := make([]string, len(c.cells))
	for i, cell := range c.cells {
		cells[i] = runewidth.Truncate(cell, width, elided)
	}
	return newShown(cells, c.numeric, c.title)
}

func (t *Table) size() string {
	plural := func(n int, what string) string {
		if n == 1 {
			return "1 " + what
		}
		return fmt.Sprintf("%d %ss", n, what)
	}
	return plural(t.rows, "row") + " × " + plural(len(t.names), "column")
}

// MIMEBundle is how a cell shows the table: text, and HTML with the dtypes in the titles of the columns, which scrolls
// where it is wider than the page.
func (t *Table) MIMEBundle() display.Bundle {
	shown := t.shown(some(len(t.columns), shownColumns, edgeColumns))
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto;max-width:100%">` + display.NumberTableTag + "<thead><tr>")
	for _, c := range shown {
		title := ""
		if c.title != "" {
			title = fmt.Sprintf(` title="%s"`, html.EscapeString(c.title))
		}
		fmt.Fprintf(&b, `<th style="text-align:%s;white-space:nowrap"%s>%s</th>`, side(c.numeric), title, html.EscapeString(c.cells[0]))
	}
	b.WriteString("</tr></thead><tbody>")
	for r := 1; len(shown) > 0 && r < len(shown[0].cells); r++ {
		b.WriteString("<tr>")
		for _, c := range shown {
			fmt.Fprintf(&b, `<td style="text-align:%s;white-space:nowrap">%s</td>`, side(c.numeric), html.EscapeString(c.cells[r]))
		}
		b.WriteString("</tr>")
	}
	fmt.Fprintf(&b, `</tbody></table></div><div style="font-family:sans-serif;font-size:12px;opacity:.75">%s</div>`, html.EscapeString(strings.Join(append([]string{t.size()}, t.notes...), "; ")))
	out := display.Text(t.String())
	out.Data[display.TypeHTML] = b.String()
	return out
}

func side(numeric bool) string {
	if numeric {
		return "right"
	}
	return "left"
}

const elided = "…"

// shown returns those columns, -1 for what is left out, by the rows that are shown.
func (t *Table) shown(columns []int) shownTable {
	evaluate(t.columns)
	rows := some(t.rows, shownRows, edgeRows)
	out := shownTable{}
	for _, i := range columns {
		if i < 0 {
			out = append(out, leftOut(1+len(rows)))
			continue
		}
		c := t.columns[i]
		d := c.DType()
		title := c.typeName()
		if gaps := c.gaps(); gaps != nil {
			n := 0
			for _, gone := range gaps {
				if gone {
					n++
				}
			}
			title += fmt.Sprintf(", %d missing", n)
		}
		cells := append([]string{clip(t.names[i])}, c.cells(rows)...)
		out = append(out, newShown(cells, d.IsNumber() && !d.IsBool(), title))
	}
	return out
}

// some returns the numbers below n that are shown, -1 where some are left out.
func some(n, all, edge int) (at []int) {
	for i := 0; i < n; i++ {
		if n > all && i == edge {
			at, i = append(at, -1), n-edge
		}
		at = append(at, i)
	}
	return at
}

// cells writes the rows that are shown; floating-point numbers with one number of decimals, enough for six
// digits of the largest and no more than the values have.
func (c *Column) cells(rows []int) []string {
	out := make([]string, len(rows))
	x := c.values.Array()
	gone := make([]bool, len(rows))
	decimals, large := 0, false
	isFloat := x.DType().IsFloat()
	for r, row := range rows {
		if row < 0 {
			continue
		}
		e := x.At(row)
		if c.gone != nil {
			gone[r] = c.gone.At(row).Bool()
		} else {
			gone[r] = missing(e).Bool()
		}
		if !isFloat || gone[r] {
			continue
		}
		v := math.Abs(e.Float64())
		if math.IsInf(v, 0) || v == 0 {
			continue
		}
		large = large || v >= 1e15 || v < 1e-4
		digits := strconv.FormatFloat(v, 'g', 6, 64)
		if point := strings.IndexByte(digits, '.'); point >= 0 && !strings.ContainsRune(digits, 'e') {
			decimals = max(decimals, len(digits)-point-1)
		}
	}
	for r, row := range rows {
		switch {
		case row < 0:
			out[r] = elided
		case gone[r] && x.DType().IsString():
		case gone[r] && x.DType().IsTime():
			out[r] = "NaT"
		case gone[r] && c.gone != nil:
			out[r] = "<NA>"
		case gone[r]:
			out[r] = "NaN"
		case isFloat && large:
			out[r] = strconv.FormatFloat(x.Float64(row), 'g', 6, 64)
		case isFloat:
			out[r] = strconv.FormatFloat(x.Float64(row), 'f', min(decimals, 6), 64)
		case x.DType().IsString():
			out[r] = clip(x.At(row).Item().(string))
		default:
			out[r] = fmt.Sprint(x.At(row))
		}
	}
	if x.DType().IsTime() {
		shortened(out, gone)
	}
	return out
}

// shortened cuts off the zeros that all fractions of seconds end with, and then the time of day where it is midnight in
// all.
func shortened(dates []string, gone []bool) {
	for _, end := range []string{".000000000", ".000000", ".000", "000000", "000", "T00:00:00", "T00:00"} {
		every := true
		for i, s := range dates {
			every = every && (gone[i] || s == elided || strings.Contains(s, "T") && strings.HasSuffix(s, end))
		}
		for i, s := range dates {
			if every && !gone[i] && s != elided {
				dates[i] = s[:len(s)-len(end)]
			}
		}
	}
}

// clip shortens long text, and writes what would break a line.
func clip(s string) string {
	const most = 50
	s = s[:min(len(s), utf8.UTFMax*(most+1))] // enough of a text of millions
	s = strings.NewReplacer("\n", "⏎", "\t", "⇥").Replace(s)
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + elided
	}
	return s
}

// Describe returns for each column of numbers how many values it has, their mean, standard deviation (of a sample),
// least, quartiles and largest; one row for each.
func (t *Table) Describe() *Table {
	out := New("statistic", []string{"count", "mean", "std", "min", "25%", "50%", "75%", "max"})
	for i, name := range t.names {
		d := t.columns[i].DType()
		if !d.IsNumber() || d.IsComplex() || d.IsBool() {
			continue
		}
		x := arrays.FromSlice(t.columns[i].floats())
		x = x.At(missing(x).LogicalNot())
		v := []float64{float64(x.Len())}
		if x.Len() == 0 {
			v = append(v, math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN(), math.NaN())
		} else {
			std := math.NaN()
			if x.Len() > 1 {
				std = x.Std(arrays.DDof(1)).Float64()
			}
			v = append(v, x.Mean().Float64(), std)
			for _, q := range []float64{0, 0.25, 0.5, 0.75, 1} {
				v = append(v, arrays.Quantile(x, q).Float64())
			}
		}
		if name == "statistic" {
			name = "statistic_"
		}
		out.Set(name, v)
	}
	return out
}
