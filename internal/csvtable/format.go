package csvtable

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// Format says what cells mean: which are missing, and what numbers and dates look like.
type Format struct {
	words     map[string]bool // that stand for a missing value
	short     [9][]uint64     // those of up to eight bytes, by their length, as wordBits has them
	gone      []float64       // words that are numbers, whose values stand for missing ones however they are written
	first     [256]bool       // bytes that these begin with
	longest   int             // of these
	thousands string
	point     string // a decimal mark other than a point
	dates     []dateLayout
	fail      func(error)
	isPlain   bool // numbers look as [decimalAt] reads them, and none stands for a missing value
}

// dateLayout is a form of dates of package time, and how precise it is.
type dateLayout struct {
	layout string
	unit   calendar.Unit
}

// missingWords are pandas' (pandas.io.parsers, STR_NA_VALUES of 3.1), and NaT.
var missingWords = strings.Fields("#N/A #NA -1.#IND -1.#QNAN -NaN -nan 1.#IND 1.#QNAN <NA> N/A NA NULL NaN NaT None n/a nan null")

func NewFormat(o *Options) *Format {
	f := &Format{words: map[string]bool{}, fail: o.Fail}
	if !o.OnlyMissing {
		f.words["#N/A N/A"] = true
		for _, w := range missingWords {
			f.words[w] = true
		}
	}
	for _, w := range o.Missing {
		f.words[strings.TrimSpace(w)] = true
	}
	for w := range f.words {
		if w != "" {
			f.first[w[0]], f.longest = true, max(f.longest, len(w))
			if len(w) < len(f.short) {
				f.short[len(w)] = append(f.short[len(w)], wordBits(w))
			}
		}
	}
	if o.Thousands != 0 {
		f.thousands = string(o.Thousands)
	}
	if o.Point != '.' {
		f.point = string(o.Point)
	}
	for _, w := range o.Missing {
		if v, ok := f.Number(strings.TrimSpace(w)); ok && v == v {
			f.gone = append(f.gone, v)
		}
	}
	if f.gone != nil {
		for _, c := range "+-.0123456789" + f.point {
			f.first[string(c)[0]] = true
		}
	}
	for _, layout := range o.Dates {
		unit, _ := dateLayoutUnit(layout) // check has seen it
		f.dates = append(f.dates, dateLayout{layout, unit})
	}
	f.isPlain = f.plain()
	return f
}

// plain is isPlain, found out.
func (f *Format) plain() bool {
	if f.point != "" {
		return false
	}
	for w := range f.words {
		if _, ok := parseNumber(w); ok && w != "" && !strings.EqualFold(strings.TrimLeft(w, "+-"), "nan") {
			return false
		}
	}
	return true
}

// IsMissing reports whether a cell stands for a missing value.
func (f *Format) IsMissing(cell string) bool {
	return cell == "" || f.first[cell[0]] && f.isWord(cell)
}

// isWord is kept apart so that most cells are told by their first byte, without a call.
func (f *Format) isWord(cell string) bool {
	switch {
	case len(cell) > f.longest:
	case len(cell) >= len(f.short):
		if f.words[cell] {
			return true
		}
	case slices.Contains(f.short[len(cell)], wordBits(cell)):
		return true
	}
	return f.gone != nil && f.isGone(cell)
}

// wordBits is a text of up to eight bytes as a number.
func wordBits(s string) (x uint64) {
	for i := range len(s) {
		x |= uint64(s[i]) << (8 * i)
	}
	return x
}

// isGone reports whether a cell is a number that stands for a missing value.
func (f *Format) isGone(cell string) bool {
	v, ok := f.Number(cell)
	return ok && slices.Contains(f.gone, v)
}

// Spelled returns the text of a number as Go has it, with a point and without blanks and groups; ok is false for what
// is not a number in this format.
func (f *Format) Spelled(cell string) (text string, ok bool) {
	cell = unblanked(cell)
	if f.point == "" && f.thousands == "" {
		return cell, true
	}
	point := f.point
	if point == "" {
		point = "."
	} else if strings.Contains(cell, ".") && f.thousands != "." {
		return "", false
	}
	whole, rest, cut := strings.Cut(cell, point)
	if f.thousands != "" {
		if strings.Contains(rest, f.thousands) {
			return "", false
		}
		if groups := strings.Split(whole, f.thousands); len(groups) > 1 {
			for i, g := range groups { // of three digits, or of two before the last as in India
				digits := strings.Trim(g, "0123456789") == ""
				switch n := len(g); {
				case i == 0:
					g = strings.TrimLeft(g, "+-")
					if n = len(g); n < 1 || n > 3 || strings.Trim(g, "0123456789") != "" {
						return "", false
					}
				case !digits || n != 3 && (n != 2 || i == len(groups)-1):
					return "", false
				}
			}
			whole = strings.Join(groups, "")
		}
	}
	if !cut {
		return whole, true
	}
	return whole + "." + rest, true
}

// number reads a cell that is not missing. Blanks around digits, which a cell in quotes may have, do not count, as in
// pandas; with an infinity they are text.
func (f *Format) Number(cell string) (v float64, ok bool) {
	if f.point != "" || f.thousands != "" {
		if cell, ok = f.Spelled(cell); !ok {
			return 0, false
		}
	}
	return parseNumber(cell)
}

// parseNumber reads a decimal number, an infinity or NaN, nearest to the text: none of Go's underscores and hexadecimal
// digits.
func parseNumber(s string) (v float64, ok bool) {
	if v, ok := decimal(s); ok {
		return v, true
	}
	if digits := unblanked(s); len(digits) < len(s) {
		if v, ok = parseNumber(digits); v-v != 0 && !strings.ContainsAny(digits, "0123456789") {
			return 0, false
		}
		return v, ok
	}
	digits := s
	if s != "" && (s[0] == '-' || s[0] == '+') {
		digits = s[1:]
	}
	if digits == "" || strings.Trim(digits, "0123456789.eE+-") != "" && !strings.EqualFold(digits, "inf") && !strings.EqualFold(digits, "infinity") && !strings.EqualFold(digits, "nan") {
		return 0, false
	}
	if strings.EqualFold(digits, "nan") {
		return math.NaN(), true
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !strings.HasSuffix(err.Error(), strconv.ErrRange.Error()) {
		return 0, false
	}
	return v, true // beyond float64 the nearest value: infinity or zero, as every reader of such files does
}

// unblanked is a cell without the blanks around it.
func unblanked(s string) string {
	if s == "" || s[0] > ' ' && s[len(s)-1] > ' ' {
		return s
	}
	return strings.Trim(s, " \t\n\v\f\r")
}

// IsWhole reports whether s is a sign or none, and digits.
func IsWhole(s string) bool {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}

// Truth reads a bool as pandas does.
func Truth(cell string) (v, ok bool) {
	switch cell {
	case "True", "TRUE", "true":
		return true, true
	case "False", "FALSE", "false":
		return false, true
	}
	return false, false
}

// date reads a date of a day or of finer units; a year or a month alone is too easily something else.
func (f *Format) Date(cell string) (v int64, u calendar.Unit, ok bool) {
	for _, d := range f.dates {
		if at, err := time.Parse(d.layout, cell); err == nil {
			switch d.unit {
			case calendar.Day, calendar.Hour, calendar.Minute, calendar.Second:
				return f.inUnit(at.Unix(), calendar.Second, d.unit), d.unit, true
			case calendar.Millisecond:
				return at.UnixMilli(), d.unit, true
			case calendar.Microsecond:
				return at.UnixMicro(), d.unit, true
			}
			if y := at.Year(); y < 1678 || y > 2261 {
				return 0, 0, false
			}
			return at.UnixNano(), calendar.Nanosecond, true
		}
	}
	v, u, ok = f.AnyDate(cell)
	return v, u, ok && u >= calendar.Day
}

// AnyDate reads a date of ISO 8601, of a year or a month too.
func (f *Format) AnyDate(cell string) (v int64, u calendar.Unit, ok bool) {
	v, u, ok, err := calendar.Parse(cell)
	if err != nil {
		f.fail(err)
	}
	return v, u, ok
}

// inUnit is a date in another unit, rounded down.
func (f *Format) inUnit(v int64, from, to calendar.Unit) int64 {
	v, err := calendar.Convert(v, from, to)
	if err != nil {
		f.fail(err)
	}
	return v
}

// dateLayoutUnit is how precise dates of a layout of package time are.
func dateLayoutUnit(layout string) (calendar.Unit, error) {
	if strings.Contains(layout, "%") {
		return 0, fmt.Errorf("DateFormat(%.60q) is of strftime; a layout is the date 2 January 2006, 15:04:05, written as the file does: %.60q", layout, goLayout(layout))
	}
	base := time.Date(2006, 1, 2, 15, 4, 5, 123456789, time.UTC)
	text := base.Format(layout)
	back, err := time.Parse(layout, text)
	switch {
	case text == layout && !strings.Contains(layout, "2006") && !strings.Contains(layout, "02"):
		return 0, fmt.Errorf("DateFormat(%.60q) has nothing of a date; a layout is the date 2 January 2006, 15:04:05, written as the file does: \"02.01.2006\"", layout)
	case err != nil || back.Year() != 2006 || back.YearDay() != 2:
		return 0, fmt.Errorf("DateFormat(%.60q) does not give a day; a layout is the date 2 January 2006, 15:04:05, written as the file does: \"02.01.2006\"", layout)
	}
	switch {
	case back.Nanosecond()%1000 != 0:
		return calendar.Nanosecond, nil
	case back.Nanosecond()%1_000_000 != 0:
		return calendar.Microsecond, nil
	case back.Nanosecond() != 0:
		return calendar.Millisecond, nil
	case back.Second() != 0:
		return calendar.Second, nil
	case back.Minute() != 0:
		return calendar.Minute, nil
	case back.Hour() != 0:
		return calendar.Hour, nil
	}
	return calendar.Day, nil
}

// goLayout is a layout of package time for one of strftime.
func goLayout(layout string) string {
	return strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "01", "%d", "02", "%b", "Jan", "%B", "January", "%a", "Mon", "%A", "Monday", "%H", "15", "%I", "03", "%p", "PM",
		"%M", "04", "%S", "05", "%f", "000000", "%z", "-0700", "%Z", "MST", "%j", "002", "%T", "15:04:05", "%F", "2006-01-02", "%D", "01/02/06", "%%", "%").Replace(layout)
}
