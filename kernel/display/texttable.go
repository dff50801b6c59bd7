package display

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minColumn is how narrow a column of a text table may be made before columns are left out.
const minColumn = 8

// fitted is the text of v, of no method of its own, in a terminal: text, or where that is longer than a line a table,
// or broken between the elements of a slice.
func fitted(v any, text string, t *table, columns int) string {
	if columns == 0 || utf8.RuneCountInString(text) <= columns || strings.Contains(text, "\n") {
		return text
	}
	if t != nil {
		return t.text(columns)
	}
	if rv := reflect.ValueOf(v); rv.IsValid() && (rv.Kind() == reflect.Slice || rv.Kind() == reflect.Array) {
		if k := rv.Type().Elem().Kind(); reflect.Bool <= k && k <= reflect.Complex128 && !printsItself(v) {
			return broken(text, columns)
		}
	}
	return text
}

// broken breaks the text of a slice between its elements.
func broken(text string, columns int) string {
	var b strings.Builder
	col := 0
	for i, word := range strings.Split(text, " ") {
		switch {
		case i > 0 && col+1+len(word) > columns:
			b.WriteString("\n ")
			col = 1
		case i > 0:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += len(word)
	}
	return b.String()
}

// text aligns the table's columns: numbers on the right, all else on the left. What does not fit the width is cut:
// first wide columns, then the last ones.
func (t *table) text(width int) string {
	rows := t.rows
	if len(t.header) > 0 {
		rows = append([][]string{t.header}, rows...)
	}
	var wide []int
	numeric := []bool{}
	for r, cells := range rows {
		for i, c := range cells {
			if i == len(wide) {
				wide, numeric = append(wide, 0), append(numeric, true)
			}
			wide[i] = max(wide[i], utf8.RuneCountInString(c))
			if _, err := strconv.ParseFloat(c, 64); err != nil && (r > 0 || len(t.header) == 0) {
				numeric[i] = false
			}
		}
	}
	shown := narrow(wide, width)
	var b strings.Builder
	for _, cells := range rows {
		line := ""
		for i, c := range cells {
			if i == shown {
				line += "…"
				break
			}
			c = short(oneLine(c), wide[i])
			pad := strings.Repeat(" ", wide[i]-utf8.RuneCountInString(c))
			if numeric[i] {
				line += pad + c + "  "
			} else {
				line += c + pad + "  "
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return strings.TrimSuffix(b.String()+t.note, "\n")
}

// narrow makes columns as narrow as they must be, the widest first, and returns how many of them are shown.
func narrow(wide []int, width int) (shown int) {
	for {
		total, widest := 0, 0
		for i, w := range wide {
			total += w + 2
			if w > wide[widest] {
				widest = i
			}
		}
		if total-2 <= width {
			return len(wide)
		}
		if wide[widest] <= minColumn {
			break
		}
		wide[widest]--
	}
	total := 1 // of the sign that columns are left out
	for i, w := range wide {
		if total += w + 2; total > width {
			return max(i, 1)
		}
	}
	return len(wide)
}

func short(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// oneLine is s without what would break the line of a table.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
}
