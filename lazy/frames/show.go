package frames

import (
	"fmt"
	"html"
	"math"
	"strconv"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// A table of more rows or columns than these shows the first and the last ones.
const (
	shownRows, edgeRows       = 60, 5
	shownColumns, edgeColumns = 20, 8
)

// String returns the table as text, aligned, with the number of its rows and columns; of a large one the first and last
// rows. It evaluates the columns.
func (t *Table) String() string {
	cells, numeric := t.shown()
	widths := make([]int, len(numeric))
	for _, row := range cells {
		for i, cell := range row {
			widths[i] = max(widths[i], runewidth.StringWidth(cell))
		}
	}
	var b strings.Builder
	for _, row := range cells {
		line := ""
		for i, cell := range row {
			if i > 0 {
				line += "  "
			}
			pad := strings.Repeat(" ", widths[i]-runewidth.StringWidth(cell))
			if numeric[i] {
				line += pad + cell
			} else {
				line += cell + pad
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String() + strings.Join(append([]string{t.size()}, t.notes...), "\n")
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

// MIMEBundle is how a cell shows the table: text, and HTML with the dtypes in the titles of the columns.
func (t *Table) MIMEBundle() display.Bundle {
	cells, numeric := t.shown()
	var b strings.Builder
	b.WriteString(`<table style="font-variant-numeric:tabular-nums"><thead><tr>`)
	for i, name := range cells[0] {
		title := ""
		if name != elided {
			title = fmt.Sprintf(` title="%v"`, t.columns[t.find("show", name)].DType())
		}
		fmt.Fprintf(&b, `<th style="text-align:%s"%s>%s</th>`, side(numeric[i]), title, html.EscapeString(name))
	}
	b.WriteString("</tr></thead><tbody>")
	for _, row := range cells[1:] {
		b.WriteString("<tr>")
		for i, cell := range row {
			fmt.Fprintf(&b, `<td style="text-align:%s">%s</td>`, side(numeric[i]), html.EscapeString(cell))
		}
		b.WriteString("</tr>")
	}
	fmt.Fprintf(&b, `</tbody></table><div style="font-family:sans-serif;font-size:12px;opacity:.75">%s</div>`, html.EscapeString(strings.Join(append([]string{t.size()}, t.notes...), "; ")))
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

// shown returns the names and the cells that are shown, row by row, and which columns are of numbers.
func (t *Table) shown() (cells [][]string, numeric []bool) {
	np.Eval(t.columns...)
	rows := some(t.rows, shownRows, edgeRows)
	cells = make([][]string, 1+len(rows))
	for _, i := range some(len(t.columns), shownColumns, edgeColumns) {
		if i < 0 {
			for r := range cells {
				cells[r] = append(cells[r], elided)
			}
			numeric = append(numeric, false)
			continue
		}
		cells[0] = append(cells[0], t.names[i])
		values := columnCells(t.columns[i].Array(), rows)
		for r, v := range values {
			cells[r+1] = append(cells[r+1], v)
		}
		d := t.columns[i].DType()
		numeric = append(numeric, d.IsNumber() && !d.IsBool())
	}
	return cells, numeric
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

// columnCells writes the rows of a column that are shown; floating-point numbers with one number of decimals, enough for six
// digits of the largest and no more than the values have.
func columnCells(x *arrays.Array, rows []int) []string {
	out := make([]string, len(rows))
	gone := make([]bool, len(rows))
	decimals, large := 0, false
	isFloat := x.DType().IsFloat()
	for r, row := range rows {
		if row < 0 {
			continue
		}
		e := x.At(row)
		gone[r] = missing(e).Bool()
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
	return out
}

// clip shortens long text, and writes what would break a line.
func clip(s string) string {
	const most = 50
	s = strings.NewReplacer("\n", "⏎", "\t", "⇥").Replace(s)
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + elided
	}
	return s
}

// Describe returns for each column of numbers how many values it has, their mean, standard deviation (of a sample), least,
// quartiles and largest; one row for each.
func (t *Table) Describe() *Table {
	out := New("statistic", []string{"count", "mean", "std", "min", "25%", "50%", "75%", "max"})
	for i, name := range t.names {
		d := t.columns[i].DType()
		if !d.IsNumber() || d.IsComplex() || d.IsBool() {
			continue
		}
		x := t.columns[i].Array().AsType(arrays.Float64)
		x = x.At(missing(x).Not())
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
