package arrays

import (
	"fmt"
	"math"
	"strconv"
	"strings"
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
		perDay *= units[at].per
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

// parseDate reads a date and says how precise the text is. A space may stand for the T, and a Z for UTC at the end.
// Empty text is NaT.
func parseDate(s string) (v int64, u Unit, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.EqualFold(s, "NaT") {
		return notATime, Year, true
	}
	sign := int64(1)
	if rest, negative := strings.CutPrefix(s, "-"); negative {
		s, sign = rest, -1
	}
	date, clock, timed := strings.Cut(s, "T")
	if !timed {
		date, clock, timed = strings.Cut(s, " ")
	}
	fields := strings.Split(date, "-")
	if len(fields) > 3 || timed && len(fields) != 3 || len(fields[0]) < 4 {
		return 0, 0, false
	}
	var n [3]int64
	for i, f := range fields {
		if n[i], ok = digits(f, map[bool]int{true: 2, false: 9}[i > 0]); !ok || i > 0 && len(f) != 2 {
			return 0, 0, false
		}
	}
	v, u = sign*n[0]-1970, Year
	if len(fields) > 1 {
		if n[1] < 1 || n[1] > 12 {
			return 0, 0, false
		}
		v, u = v*12+n[1]-1, Month
	}
	if len(fields) > 2 {
		first := toUnit(v, Month, Day, true)
		if n[2] < 1 || n[2] > toUnit(v+1, Month, Day, true)-first {
			return 0, 0, false
		}
		v, u = first+n[2]-1, Day
	}
	if !timed {
		return v, u, true
	}
	return parseClock(strings.TrimSuffix(clock, "Z"), v)
}

// parseClock reads the time of a day.
func parseClock(clock string, day int64) (v int64, u Unit, ok bool) {
	clock, fraction, fine := strings.Cut(clock, ".")
	fields := strings.Split(clock, ":")
	if len(fields) > 3 || fine && len(fields) != 3 {
		return 0, 0, false
	}
	v, u = day, Day
	for i, f := range fields {
		n, ok := digits(f, 2)
		if !ok || len(f) != 2 || n >= [...]int64{24, 60, 60}[i] {
			return 0, 0, false
		}
		u++
		v = v*units[u].per + n
	}
	if !fine {
		return v, u, true
	}
	if len(fraction) == 0 || len(fraction) > 9 {
		return 0, 0, false
	}
	for len(fraction)%3 != 0 {
		fraction += "0"
	}
	n, ok := digits(fraction, 9)
	to := Second + Unit(len(fraction)/3)
	return toUnit(v, Second, to, true) + n, to, ok
}

// digits reads a number of no more than most digits.
func digits(s string, most int) (int64, bool) {
	if s == "" || len(s) > most {
		return 0, false
	}
	n := int64(0)
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}
