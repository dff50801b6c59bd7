package arrays

import (
	"fmt"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// Unit is what dates and spans are counted in.
type Unit uint8

// The units, from coarse to fine. A Year and a Month have no fixed length, so that spans of them and of the others have
// no common dtype.
const (
	Year Unit = iota
	Month
	Week
	Day
	Hour
	Minute
	Second
	Millisecond
	Microsecond
	Nanosecond
	numUnits = calendar.Units
)

// String returns the name of the unit, as "Day".
func (u Unit) String() string { return calendar.Unit(u).String() }

func (u Unit) symbol() string { return calendar.Unit(u).Symbol() }

// varies reports whether the unit has no fixed length.
func (u Unit) varies() bool { return calendar.Unit(u).Varies() }

// notATime is NaT, the date or span that is none.
const notATime = calendar.NaT

// commonUnit is the finer of two units. spanA and spanB say which counts a span: one of months or years has no length
// in days.
func commonUnit(a, b Unit, spanA, spanB bool) (Unit, error) {
	if spanA && a.varies() && !b.varies() || spanB && b.varies() && !a.varies() {
		return 0, &Error{Msg: fmt.Sprintf("spans of %v and of %v have no common dtype: a %v has no fixed length", a, b, min(a, b))}
	}
	return max(a, b), nil
}

// toUnit converts a count of one unit to another, rounding down; as a date when date is set, else as a span. It panics
// with *Error when the result does not fit, or a span has no fixed length.
func toUnit(v int64, from, to Unit, date bool) int64 {
	if v == notATime || from == to {
		return v
	}
	if !date && from.varies() != to.varies() {
		_, err := commonUnit(from, to, true, true)
		check("astype", err)
	}
	v, err := calendar.Convert(v, calendar.Unit(from), calendar.Unit(to))
	badDate(err)
	return v
}

// badDate panics with *Error of what package calendar says of a date or span that does not fit, if it does.
func badDate(err error) {
	if err != nil {
		check("astype", &Error{Msg: err.Error()})
	}
}

// timeOf returns a date as Go's, the zero Time for NaT.
func timeOf(v int64, u Unit) time.Time {
	if v == notATime {
		return time.Time{}
	}
	if u <= Day {
		return time.Unix(toUnit(toUnit(v, u, Day, true), Day, Second, true), 0).UTC()
	}
	second := toUnit(v, u, min(u, Second), true)
	if u <= Second {
		return time.Unix(toUnit(second, u, Second, true), 0).UTC()
	}
	second = toUnit(v, u, Second, true)
	return time.Unix(second, toUnit(v-toUnit(second, Second, u, true), u, Nanosecond, true)).UTC()
}

// ofTime counts a Go time in unit u; the zero Time is NaT.
func ofTime(t time.Time, u Unit) int64 {
	if t.IsZero() {
		return notATime
	}
	if u <= Second {
		return toUnit(t.Unix(), Second, u, true)
	}
	whole := toUnit(t.Unix(), Second, u, true)
	return whole + toUnit(int64(t.Nanosecond()), Nanosecond, u, false)
}
