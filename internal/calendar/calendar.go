// Package calendar counts dates in units: the Gregorian calendar, before 1582 too, as NumPy's datetime64 has it.
package calendar

import (
	"fmt"
	"math"
	"time"
)

// Unit is what dates and spans are counted in.
type Unit uint8

// The units, from coarse to fine.
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
	Units = iota // how many there are
)

// units is the one table of units: NumPy's symbol, ours, how many make one of the next coarser unit (0 where that
// varies).
var units = [Units]struct {
	symbol, name string
	per          int64
}{
	Year: {"Y", "Year", 0}, Month: {"M", "Month", 12}, Week: {"W", "Week", 0}, Day: {"D", "Day", 7}, Hour: {"h", "Hour", 24}, Minute: {"m", "Minute", 60},
	Second: {"s", "Second", 60}, Millisecond: {"ms", "Millisecond", 1000}, Microsecond: {"us", "Microsecond", 1000}, Nanosecond: {"ns", "Nanosecond", 1000},
}

// String returns the name of the unit, as "Day".
func (u Unit) String() string {
	if u < Units {
		return units[u].name
	}
	return fmt.Sprintf("Unit(%d)", uint8(u))
}

// Symbol is NumPy's name of the unit, as "D".
func (u Unit) Symbol() string { return units[u].symbol }

// Per is how many of the unit make one of the next coarser one; 0 where that varies.
func (u Unit) Per() int64 { return units[u].per }

// Varies reports whether the unit has no fixed length.
func (u Unit) Varies() bool { return u <= Month }

// NaT is the date or span that is none.
const NaT = math.MinInt64

// Convert converts a count of one unit to another, rounding down: a date, where one unit varies and the other does not.
// The error is of a count that does not fit.
func Convert(v int64, from, to Unit) (int64, error) {
	if v == NaT || from == to {
		return v, nil
	}
	if from.Varies() != to.Varies() {
		if from.Varies() {
			month, err := Convert(v, from, Month)
			if err != nil {
				return 0, err
			}
			return Convert(DaysOfMonth(month), Day, to)
		}
		day, err := Convert(v, from, Day)
		if err != nil {
			return 0, err
		}
		return Convert(monthOfDays(day), Month, to)
	}
	given := v
	for u := from; u > to; u-- { // coarser
		v = floorDiv(v, units[u].per)
	}
	for u := from + 1; u <= to; u++ {
		per := units[u].per
		if v > math.MaxInt64/per || v < math.MinInt64/per {
			return 0, fmt.Errorf("a count of %d %vs does not fit %vs; use a coarser unit", given, from, to)
		}
		v *= per
	}
	return v, nil
}

// floorDiv is x/y rounded down, of a positive y.
func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y < 0 {
		q--
	}
	return q
}

// DaysOfMonth is the number of days from 1970 to the first of a month, counted from January 1970. A cycle of 400
// years has 146,097 days.
func DaysOfMonth(m int64) int64 {
	cycle := floorDiv(m, 4800)
	m -= cycle * 4800
	return cycle*146097 + time.Date(1970, time.Month(1+m), 1, 0, 0, 0, 0, time.UTC).Unix()/86400
}

func monthOfDays(d int64) int64 {
	cycle := floorDiv(d, 146097)
	t := time.Unix((d-cycle*146097)*86400, 0).UTC()
	return cycle*4800 + int64(t.Year()-1970)*12 + int64(t.Month()) - 1
}
