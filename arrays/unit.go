package arrays

import (
	"fmt"
	"math"
	"time"
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
	numUnits = iota
)

// units is the one table of units: NumPy's symbol, ours, how many make one of the next coarser unit (0 where that
// varies).
var units = [numUnits]struct {
	symbol, name string
	per          int64
}{
	Year: {"Y", "Year", 0}, Month: {"M", "Month", 12}, Week: {"W", "Week", 0}, Day: {"D", "Day", 7}, Hour: {"h", "Hour", 24}, Minute: {"m", "Minute", 60},
	Second: {"s", "Second", 60}, Millisecond: {"ms", "Millisecond", 1000}, Microsecond: {"us", "Microsecond", 1000}, Nanosecond: {"ns", "Nanosecond", 1000},
}

// String returns the name of the unit, as "Day".
func (u Unit) String() string {
	if u < numUnits {
		return units[u].name
	}
	return fmt.Sprintf("Unit(%d)", uint8(u))
}

func (u Unit) symbol() string { return units[u].symbol }

// varies reports whether the unit has no fixed length.
func (u Unit) varies() bool { return u <= Month }

// notATime is NaT, the date or span that is none.
const notATime = math.MinInt64

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
	if from.varies() != to.varies() {
		if !date {
			_, err := commonUnit(from, to, true, true)
			check("astype", err)
		}
		if from.varies() {
			return toUnit(daysOfMonth(toUnit(v, from, Month, true)), Day, to, true)
		}
		return toUnit(monthOfDays(toUnit(v, from, Day, true)), Month, to, true)
	}
	given := v
	for u := from; u > to; u-- { // coarser
		v = floorDivInt(v, units[u].per)
	}
	for u := from + 1; u <= to; u++ {
		per := units[u].per
		if v > math.MaxInt64/per || v < math.MinInt64/per {
			check("astype", &Error{Msg: fmt.Sprintf("a count of %d %vs does not fit %vs; use a coarser unit", given, from, to)})
		}
		v *= per
	}
	return v
}

// The calendar is Gregorian before 1582 too, as in NumPy. Its cycle of 400 years has 146,097 days.

// daysOfMonth is the number of days from 1970 to the first of a month, counted from January 1970.
func daysOfMonth(m int64) int64 {
	cycle := floorDivInt(m, 4800)
	m -= cycle * 4800
	return cycle*146097 + time.Date(1970, time.Month(1+m), 1, 0, 0, 0, 0, time.UTC).Unix()/86400
}

func monthOfDays(d int64) int64 {
	cycle := floorDivInt(d, 146097)
	t := time.Unix((d-cycle*146097)*86400, 0).UTC()
	return cycle*4800 + int64(t.Year()-1970)*12 + int64(t.Month()) - 1
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
