package calendar

import "strings"

// Parse reads a date of ISO 8601 and says how precise the text is: 2020, 2020-02, 2020-02-28, 2020-02-28T13:45:06.789.
// A space may stand for the T, and a Z for UTC at the end. Empty text is NaT. The error is of a date that no int64
// counts in its unit.
func Parse(s string) (v int64, u Unit, ok bool, err error) {
	s = strings.TrimSpace(s)
	if s == "" || strings.EqualFold(s, "NaT") {
		return NaT, Year, true, nil
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
		return 0, 0, false, nil
	}
	var n [3]int64
	for i, f := range fields {
		if n[i], ok = digits(f, map[bool]int{true: 2, false: 9}[i > 0]); !ok || i > 0 && len(f) != 2 {
			return 0, 0, false, nil
		}
	}
	v, u = sign*n[0]-1970, Year
	if len(fields) > 1 {
		if n[1] < 1 || n[1] > 12 {
			return 0, 0, false, nil
		}
		v, u = v*12+n[1]-1, Month
	}
	if len(fields) > 2 {
		first := DaysOfMonth(v)
		if n[2] < 1 || n[2] > DaysOfMonth(v+1)-first {
			return 0, 0, false, nil
		}
		v, u = first+n[2]-1, Day
	}
	if !timed {
		return v, u, true, nil
	}
	return parseClock(strings.TrimSuffix(clock, "Z"), v)
}

// parseClock reads the time of a day.
func parseClock(clock string, day int64) (v int64, u Unit, ok bool, err error) {
	clock, fraction, fine := strings.Cut(clock, ".")
	fields := strings.Split(clock, ":")
	if len(fields) > 3 || fine && len(fields) != 3 {
		return 0, 0, false, nil
	}
	v, u = day, Day
	for i, f := range fields {
		n, ok := digits(f, 2)
		if !ok || len(f) != 2 || n >= [...]int64{24, 60, 60}[i] {
			return 0, 0, false, nil
		}
		u++
		v = v*u.Per() + n
	}
	if !fine {
		return v, u, true, nil
	}
	if len(fraction) == 0 || len(fraction) > 9 {
		return 0, 0, false, nil
	}
	for len(fraction)%3 != 0 {
		fraction += "0"
	}
	n, ok := digits(fraction, 9)
	to := Second + Unit(len(fraction)/3)
	if v, err = Convert(v, Second, to); err != nil {
		return 0, 0, false, err
	}
	return v + n, to, ok, nil
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
