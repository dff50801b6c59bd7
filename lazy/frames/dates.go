package frames

import (
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// part returns a column of what f says of each date, in int64, missing where the date is.
func (c *Column) part(op string, f func(time.Time) int) *Column {
	x := c.instants(op)
	out := make([]int64, c.Len())
	gaps := c.gaps()
	for i, t := range x.Times() {
		asks(i)
		if gaps == nil || !gaps[i] {
			out[i] = int64(f(t))
		}
	}
	if gaps == nil {
		return eager(out)
	}
	return eager(out).without(arrays.FromSlice(gaps))
}

func (c *Column) instants(op string) *arrays.Array {
	d := c.DType()
	if !d.IsTime() || keyKind(d) != "datetime64" {
		fail(op, "the column is %s; it must be datetime64: AsType(DateTime(Day)) of its Array makes dates of texts like 2026-11-26", c.typeName())
	}
	return c.values.Array()
}

// Year returns the years of dates. As all parts of dates they are int64 and missing where the date is; a column that is
// not datetime64 is an *arrays.Error.
func (c *Column) Year() *Column { return c.part("Year", time.Time.Year) }

// Quarter returns the quarters of the years, 1 to 4.
func (c *Column) Quarter() *Column {
	return c.part("Quarter", func(t time.Time) int { return (int(t.Month()) + 2) / 3 })
}

// Month returns the months, 1 to 12.
func (c *Column) Month() *Column {
	return c.part("Month", func(t time.Time) int { return int(t.Month()) })
}

// Day returns the days of the months, 1 to 31.
func (c *Column) Day() *Column { return c.part("Day", time.Time.Day) }

// DayOfYear returns the days of the years, 1 to 366.
func (c *Column) DayOfYear() *Column { return c.part("DayOfYear", time.Time.YearDay) }

// Weekday returns the days of the week as pandas numbers them: Monday is 0, Sunday 6.
func (c *Column) Weekday() *Column {
	return c.part("Weekday", func(t time.Time) int { return (int(t.Weekday()) + 6) % 7 })
}

// Hour returns the hours, 0 to 23.
func (c *Column) Hour() *Column { return c.part("Hour", time.Time.Hour) }

// Minute returns the minutes, 0 to 59.
func (c *Column) Minute() *Column { return c.part("Minute", time.Time.Minute) }

// Second returns the seconds, 0 to 59, without fractions.
func (c *Column) Second() *Column { return c.part("Second", time.Time.Second) }

// Date returns the days without the time of day, datetime64[D].
func (c *Column) Date() *Column {
	c.instants("Date")
	return &Column{values: c.values.AsType(arrays.DateTime(arrays.Day))}
}
