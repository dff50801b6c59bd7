package arrays

import "io"

// plainRow appends the numbers of the line at the beginning of text, one for each of width cells, and returns what follows the line.
// ok is false for any other line, of which nothing was read then: cells that are empty, quoted, between spaces or as strconv reads
// them, comments, another number of cells.
func plainRow(values []float64, text []byte, comma byte, width int) (_ []float64, rest []byte, ok bool) {
	had := len(values)
	for i := range width {
		v, n := decimalPrefix(text)
		if n == 0 || n >= len(text) {
			return values[:had], nil, false
		}
		end := text[n]
		text = text[n+1:]
		if i == width-1 {
			if end == '\r' && len(text) > 0 {
				end, text = text[0], text[1:]
			}
			if end != '\n' {
				return values[:had], nil, false
			}
		} else if end != comma {
			return values[:had], nil, false
		}
		values = append(values, v)
	}
	return values, text, true
}

// decimalPrefix reads the number at the beginning of text, whose cell ends with it, as [decimal] does; n is how many bytes it has,
// 0 where decimal must see the cell.
func decimalPrefix(text []byte) (v float64, n int) {
	was, neg := len(text), false
	if len(text) > 0 && text[0] == '-' {
		neg = true
		text = text[1:]
	}
	digits, first, text := leadingDigits(0, text)
	places := 0
	if len(text) > 0 && text[0] == '.' {
		digits, places, text = leadingDigits(digits, text[1:])
	}
	if all := first + places; all == 0 || all > maxPlaces || len(text) > 0 && (text[0]|0x20 == 'e' || text[0] == ' ') {
		return 0, 0
	}
	switch {
	case places == 0:
		v = float64(digits)
	case digits < 1<<53: // both are exact, and the division rounds once
		v = float64(digits) / floatPowersOf10[places]
	default:
		v = quotient(digits, powersOf10[places])
	}
	if neg {
		v = -v
	}
	return v, was - len(text)
}

// floatPowersOf10 are exact.
var floatPowersOf10 = func() (p [maxPlaces + 1]float64) {
	for i, v := range powersOf10 {
		p[i] = float64(v)
	}
	return p
}()

// numbers appends the numbers of rows.
func (t *table) numbers(values []float64, rows *csvRows) ([]float64, error) {
	err := t.eachPlain(rows, func(text []byte) (rest []byte, ok bool) {
		values, rest, ok = plainRow(values, text, byte(rows.comma), rows.width)
		return rest, ok
	}, func(row []string) (err error) {
		values, err = t.parse(values, rows.line, row)
		return err
	})
	return values, err
}

// eachPlain is each where plain may read a line, the first of the text that it gets, and returns what follows; the lines that it
// refuses are rows. It is asked only about pieces all of whose cells are read, in their order.
func (t *table) eachPlain(rows *csvRows, plain func(text []byte) (rest []byte, ok bool), f func(row []string) error) error {
	if rows.in != nil || len(t.columns) != rows.width || !inOrder(t.columns) {
		return t.each(rows, f)
	}
	for {
		for len(rows.text) > 0 {
			rest, ok := plain(rows.text)
			if !ok {
				break
			}
			rows.text = rest
			rows.line++
		}
		row, err := rows.next()
		if err == io.EOF {
			rows.ended = true
			return nil
		} else if err != nil {
			return t.said(err)
		}
		if err := f(row); err != nil {
			return err
		}
	}
}

// inOrder reports whether columns are the numbers from 0.
func inOrder(columns []int) bool {
	for i, c := range columns {
		if c != i {
			return false
		}
	}
	return true
}

// plainCells is plainRow for columns that are known to be floats, as they then still are.
func plainCells(lists []cellList, text []byte, comma byte) (rest []byte, ok bool) {
	for i := range lists {
		c := &lists[i]
		v, n := decimalPrefix(text)
		good := n > 0 && n < len(text)
		if good {
			from := uint32(len(c.text) - len(text))
			c.at, c.numbers = append(c.at, [2]uint32{from, from + uint32(n)}), append(c.numbers, v)
			end := text[n]
			text = text[n+1:]
			if i == len(lists)-1 {
				if end == '\r' && len(text) > 0 {
					end, text = text[0], text[1:]
				}
				good = end == '\n'
			} else {
				good = end == comma
			}
			if !good {
				i++
			}
		}
		if !good { // take back what was read of the line
			for k := range lists[:i] {
				c := &lists[k]
				c.at, c.numbers = c.at[:len(c.at)-1], c.numbers[:len(c.numbers)-1]
			}
			return nil, false
		}
	}
	return text, true
}

// areFloats reports whether the cells so far are numbers and nothing else, and places in the piece's text.
func areFloats(lists []cellList) bool {
	for i := range lists {
		c := &lists[i]
		if k := &c.kinds; !(c.shared && k.number && k.some && !k.whole && !k.truth && !k.date) {
			return false
		}
	}
	return true
}
