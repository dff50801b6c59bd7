package viz

import (
	"math"
	"strings"
	"time"
)

// datesOrNumbers reads the x of a series: dates become seconds since 1970, and no date (NaT, the zero Time) NaN.
func datesOrNumbers(x any) (vals []float64, dates bool, err error) {
	ts, ok := x.([]time.Time)
	if a, isArray := hostArray(x); isArray && a != nil && strings.HasPrefix(a.DType().String(), "datetime64") {
		if err := oneAxis("x", a.Shape()); err != nil {
			return nil, false, err
		}
		ts, ok = a.Times(), true
	}
	if !ok {
		vals, err = vector("x", x)
		return vals, false, err
	}
	vals = make([]float64, len(ts))
	for i, t := range ts {
		if vals[i] = float64(t.Unix()) + float64(t.Nanosecond())/1e9; t.IsZero() {
			vals[i] = math.NaN()
		}
	}
	return vals, true, nil
}

// dateOf is the inverse; values that no calendar has become its ends.
func dateOf(v float64) time.Time {
	v = min(max(v, -6e10), 2.5e11) // years 68 and 9891
	whole, frac := math.Modf(v)
	return time.Unix(int64(whole), int64(math.Round(frac*1e9))).UTC()
}

// inMilliseconds is a series over dates as the page has it.
func inMilliseconds(s Series) Series {
	s.X = milliseconds(s.X)
	if s.Grid != nil {
		g := *s.Grid
		g.X0, g.X1 = 1000*g.X0, 1000*g.X1
		s.Grid = &g
	}
	return s
}

func milliseconds(x []float64) []float64 {
	ms := make([]float64, len(x))
	for i, v := range x {
		ms[i] = 1000 * v
	}
	return ms
}

// dateStep is a distance of ticks on an axis of dates: seconds, or months where those are not 0.
type dateStep struct {
	seconds float64
	months  int
	layout  string
}

const day = 86400

var dateSteps = []dateStep{
	{0.001, 0, "05.000"}, {0.01, 0, "05.00"}, {0.1, 0, "05.0"},
	{1, 0, "15:04:05"}, {5, 0, "15:04:05"}, {15, 0, "15:04:05"}, {30, 0, "15:04:05"},
	{60, 0, "15:04"}, {300, 0, "15:04"}, {900, 0, "15:04"}, {1800, 0, "15:04"},
	{3600, 0, "15:04"}, {3 * 3600, 0, "2 Jan 15:04"}, {6 * 3600, 0, "2 Jan 15:04"}, {12 * 3600, 0, "2 Jan 15:04"},
	{day, 0, "2 Jan"}, {2 * day, 0, "2 Jan"}, {7 * day, 0, "2 Jan 2006"}, {14 * day, 0, "2 Jan 2006"},
	{30.4 * day, 1, "Jan 2006"}, {91.3 * day, 3, "Jan 2006"}, {182.6 * day, 6, "Jan 2006"},
	{365.25 * day, 12, "2006"}, {2 * 365.25 * day, 24, "2006"}, {5 * 365.25 * day, 60, "2006"}, {10 * 365.25 * day, 120, "2006"},
	{20 * 365.25 * day, 240, "2006"}, {50 * 365.25 * day, 600, "2006"}, {100 * 365.25 * day, 1200, "2006"}, {500 * 365.25 * day, 6000, "2006"},
}

// dateSpan returns the range [lo, hi] as it is, with at most about n ticks at round moments of the calendar.
func dateSpan(lo, hi float64, n int) span {
	if lo > hi {
		lo, hi = 0, day
	}
	if hi-lo < 0.001 {
		lo, hi = lo-0.5, hi+0.5
	}
	step := dateSteps[len(dateSteps)-1]
	for _, st := range dateSteps {
		if (hi-lo)/st.seconds <= float64(n) {
			step = st
			break
		}
	}
	s := span{min: lo, max: hi, step: step.seconds, layout: step.layout}
	if step.months == 0 {
		for k := math.Ceil(lo/step.seconds - 1e-9); k*step.seconds <= hi && len(s.ticks) < 10*n; k++ {
			s.ticks = append(s.ticks, k*step.seconds)
		}
		return s
	}
	first := dateOf(lo)
	for m := (first.Year()*12 + int(first.Month()) - 1) / step.months * step.months; len(s.ticks) < 10*n; m += step.months {
		at := float64(time.Date(m/12, time.Month(m%12+1), 1, 0, 0, 0, 0, time.UTC).Unix())
		if at > hi {
			break
		}
		if at >= lo {
			s.ticks = append(s.ticks, at)
		}
	}
	return s
}
