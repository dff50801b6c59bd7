package arrays

import (
	"fmt"
	"math"
	"strconv"

	"github.com/arrayrepl/arrayrepl/internal/calendar"
)

// Dates as text are ISO 8601, as precise as their unit: 2020, 2020-02, 2020-02-28, 2020-02-28T13:45:06.789.

// dateText writes a date.
func dateText(v int64, u Unit) string {
	if v == notATime {
		return "NaT"
	}
	day := min(u, Day)
	if u == Week {
		day = Day
	}
	if u == Week && (v > math.MaxInt64/7 || v < math.MinInt64/7) { // its day is beyond int64
		return strconv.FormatInt(v, 10) + "W"
	}
	days := toUnit(v, u, day, true)
	month := toUnit(days, day, min(day, Month), true)
	year := toUnit(month, min(day, Month), Year, true)
	text := fmt.Sprintf("%04d", year+1970)
	if year > math.MaxInt64-1970 {
		text = strconv.FormatUint(uint64(year)+1970, 10)
	}
	if day >= Month {
		text += fmt.Sprintf("-%02d", month-12*floorDivInt(month, 12)+1)
	}
	if day >= Day {
		text += fmt.Sprintf("-%02d", days-toUnit(month, Month, Day, true)+1)
	}
	if u <= Day {
		return text
	}
	rest, perDay := v, int64(1) // since midnight
	for at := Hour; at <= u; at++ {
		perDay *= calendar.Unit(at).Per()
	}
	if rest %= perDay; rest < 0 {
		rest += perDay
	}
	for at, separator := Hour, "T"; at <= min(u, Second); at, separator = at+1, ":" {
		part := toUnit(rest, u, at, false)
		text += separator + fmt.Sprintf("%02d", part)
		rest -= toUnit(part, at, u, false)
	}
	if u > Second {
		text += fmt.Sprintf(".%0*d", 3*int(u-Second), rest)
	}
	return text
}

// spanText writes a span: its count.
func spanText(v int64) string {
	if v == notATime {
		return "NaT"
	}
	return strconv.FormatInt(v, 10)
}

// parseDate reads a date and says how precise the text is; see [calendar.Parse].
func parseDate(s string) (v int64, u Unit, ok bool) {
	v, unit, ok, err := calendar.Parse(s)
	badDate(err)
	return v, Unit(unit), ok
}
