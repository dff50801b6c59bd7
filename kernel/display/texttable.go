package display

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minColumn is how narrow a column of a text table may be made before columns are left out.
const minColumn = 8

// fitted is a text in a terminal: where it is longer than a line, the table.
func fitted(text string, t *table, columns int) string {
	if t == nil || columns == 0 || utf8.RuneCountInString(text) <= columns {
		return text
	}
	return t.text(columns)
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
	return strings.TrimSuffix(b.String()+short(strings.Trim(t.note+" · "+t.of, " ·"), width), "\n")
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
	if len(s) <= n {
		return s
	}
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
