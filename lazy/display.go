package lazy

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// tableEdge is how many rows and columns of a large array the table shows at each end.
const tableEdge = 3

// MIMEBundle evaluates a. Its text is that of String; its HTML is a line that says what the array is, where it was
// computed and how long that took, and a table of its elements, the middle left out when there are many.
func (a *Array) MIMEBundle() display.Bundle {
	if a.missing() {
		return display.Text(noText)
	}
	if a.tooLarge() {
		return display.Text(a.unshown())
	}
	return look(a, func(e *arrays.Array) display.Bundle {
		b := display.Text(e.String())
		b.Data[display.TypeHTML] = a.caption() + table(e)
		return b
	})
}

// caption says what a is and how it came to be.
func (a *Array) caption() string {
	parts := []string{"shape " + shapeTuple(a.layout.Shape), a.DType().String()}
	if m := a.howMade(); m.device != "" {
		parts = append(parts, m.device)
		if m.time > 0 && (m.modelled || !display.Reproducible()) {
			how := "measured"
			if m.modelled {
				how = "modelled"
			}
			parts = append(parts, m.time.String()+" "+how)
		}
	}
	return `<div style="font-family:sans-serif;font-size:12px;opacity:.75;margin:2px 0 4px">` +
		html.EscapeString(strings.Join(parts, " · ")) + "</div>"
}

// shapeTuple writes a shape as NumPy shows it: (3, 4), (5,) or ().
func shapeTuple(shape []int) string {
	s := strings.Trim(strings.Join(strings.Fields(fmt.Sprint(shape)), ", "), "[]")
	if len(shape) == 1 {
		s += ","
	}
	return "(" + s + ")"
}

// shapeString writes a shape as messages do, here and in package arrays: (3,4).
func shapeString(shape []int) string { return strings.ReplaceAll(shapeTuple(shape), " ", "") }

// table draws the last two axes; of further axes it shows the first place, and says so.
func table(a *arrays.Array) string {
	note := ""
	if a.NDim() == 0 { // one number
		return "<pre>" + html.EscapeString(a.String()) + "</pre>"
	}
	if a.NDim() > 2 {
		idx := make([]any, a.NDim()-2)
		for i := range idx {
			idx[i] = 0
		}
		if a.Size() > 0 {
			note = fmt.Sprintf("[%s:, :] of shape %s", strings.Repeat("0, ", a.NDim()-2), shapeTuple(a.Shape()))
			a = a.At(idx...)
		}
	}
	if a.Size() == 0 {
		return "<div>no elements</div>"
	}
	rowLabels := a.NDim() == 2
	for a.NDim() < 2 {
		a = a.At(arrays.NewAxis)
	}
	rows, cols := shown(a.Shape()[0]), shown(a.Shape()[1])
	var b strings.Builder
	b.WriteString(display.NumberTableTag + "<thead><tr>")
	if rowLabels {
		b.WriteString("<th></th>")
	}
	for _, c := range cols {
		b.WriteString("<th>" + label(c) + "</th>")
	}
	b.WriteString("</tr></thead><tbody>")
	for _, r := range rows {
		b.WriteString("<tr>")
		if rowLabels {
			b.WriteString("<th>" + label(r) + "</th>")
		}
		for _, c := range cols {
			text := "⋯"
			if r >= 0 && c >= 0 {
				text = html.EscapeString(element(a, r, c))
			}
			b.WriteString(`<td style="text-align:right">` + text + "</td>")
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	if note != "" {
		b.WriteString(`<div style="font-size:12px;opacity:.75">` + note + "</div>")
	}
	return b.String()
}

// element formats one element as a table shows it: six significant digits are what a person reads; String has them all.
func element(a *arrays.Array, r, c int) string {
	one := a.At(r, c)
	if d := a.DType(); d.IsFloat() {
		return strconv.FormatFloat(one.Float64(), 'g', 6, min(8*max(d.Size(), 4), 64))
	}
	switch v := one.Item().(type) {
	case bool:
		return strconv.FormatBool(v)
	case complex64:
		return strings.Trim(strconv.FormatComplex(complex128(v), 'g', 6, 64), "()")
	case complex128:
		return strings.Trim(strconv.FormatComplex(v, 'g', 6, 128), "()")
	}
	return one.String()
}

// shown returns the places of an axis of n to show; -1 stands for those left out.
func shown(n int) []int {
	var out []int
	for i := 0; i < n; i++ {
		if n > 4*tableEdge && i == tableEdge {
			out = append(out, -1)
			i = n - tableEdge
		}
		out = append(out, i)
	}
	return out
}

func label(i int) string {
	if i < 0 {
		return "⋯"
	}
	return strconv.Itoa(i)
}
