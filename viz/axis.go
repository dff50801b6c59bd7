package viz

import (
	"math"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// span is the range of an axis and where its labelled ticks are.
type span struct {
	min, max float64
	ticks    []float64
	step     float64 // between ticks; 0 on log axes and axes of categories
	layout   string  // of dates, as package time has them
	names    []string
}

// ranged returns the ranges of p's axes: as set, or nice ones around the data. Bars and areas start at zero.
func ranged(p *Panel) (x, y span) {
	xlo, xhi := math.Inf(1), math.Inf(-1)
	ylo, yhi := xlo, xhi
	see := func(x, y float64) {
		if finite(x) && (!p.X.Log || x > 0) {
			xlo, xhi = min(xlo, x), max(xhi, x)
		}
		if finite(y) && (!p.Y.Log || y > 0) {
			ylo, yhi = min(ylo, y), max(yhi, y)
		}
	}
	stack := map[float64]float64{}
	for _, s := range p.Series {
		if s.Right {
			for _, x := range s.X {
				if finite(x) && (!p.X.Log || x > 0) {
					xlo, xhi = min(xlo, x), max(xhi, x)
				}
			}
			continue
		}
		for i, v := range s.Y {
			at := float64(i)
			if s.Mark != MarkBar {
				at = s.X[i]
			}
			if s.Mark == MarkArea {
				if finite(v) {
					stack[at] += v
				}
				v = stack[at]
			}
			if s.Mark == MarkBar || s.Mark == MarkArea {
				see(at, 0)
			}
			see(at, v)
			if s.Mark == MarkBar && p.Y.Log {
				see(at, 0.99*v) // where the smallest is a power of ten the axis begins at one below: its bar is seen
			}
		}
		for _, b := range s.Boxes {
			see(b.X0, b.Y0)
			see(b.X1, b.Y1)
		}
		if g := s.Grid; g != nil {
			return tight(axisSpan(p.X, g.X0, g.X1, 8), g.X0, g.X1), tight(axisSpan(p.Y, g.Y0, g.Y1, 5), g.Y0, g.Y1)
		}
	}
	return axisSpan(p.X, xlo, xhi, 8), axisSpan(p.Y, ylo, yhi, 5)
}

// rangedRight returns the range of p's right axis; the zero span when it has none.
func rangedRight(p *Panel) span {
	if p.Right == nil {
		return span{}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, s := range p.Series {
		for _, v := range s.Y {
			if s.Right && finite(v) && (!p.Right.Log || v > 0) {
				lo, hi = min(lo, v), max(hi, v)
			}
		}
	}
	return axisSpan(*p.Right, lo, hi, 5)
}

func axisSpan(a Axis, lo, hi float64, n int) span {
	if a.Categories != nil {
		s := span{min: -0.5, max: float64(len(a.Categories)) - 0.5}
		for i := range a.Categories {
			s.ticks = append(s.ticks, float64(i))
		}
		return s
	}
	if a.Names != nil {
		s := span{min: -0.5, max: float64(len(a.Names)) - 0.5, names: a.Names}
		for i := range a.Names {
			s.ticks = append(s.ticks, float64(i))
		}
		return s
	}
	if a.Log {
		return logSpan(lo, hi)
	}
	if a.Time {
		return dateSpan(lo, hi, n)
	}
	if a.Min != 0 || a.Max != 0 {
		s := niceSpan(a.Min, a.Max, n)
		if a.Step > 0 {
			s = span{step: a.Step}
			for t := a.Min; t <= a.Max*(1+1e-9); t += a.Step {
				s.ticks = append(s.ticks, t)
			}
		}
		return tight(s, a.Min, a.Max)
	}
	return niceSpan(lo, hi, n)
}

// tight returns s from lo to hi, which leaves ticks out.
func tight(s span, lo, hi float64) span {
	s.min, s.max = lo, hi
	for len(s.ticks) > 0 && s.ticks[0] < lo-1e-9*s.step {
		s.ticks = s.ticks[1:]
	}
	for len(s.ticks) > 0 && s.ticks[len(s.ticks)-1] > hi+1e-9*s.step {
		s.ticks = s.ticks[:len(s.ticks)-1]
	}
	return s
}

// label prints a value of the axis.
func (s span) label(v float64) string {
	if s.names != nil {
		return s.names[min(max(int(v), 0), len(s.names)-1)]
	}
	if s.layout != "" {
		return dateOf(v).Format(s.layout)
	}
	return number(v)
}

// niceSpan returns the range around [lo, hi] whose ends are multiples of 1, 2 or 5 times a power of ten, with about n
// steps.
func niceSpan(lo, hi float64, n int) span {
	if lo > hi { // no finite value
		lo, hi = 0, 1
	}
	if d := hi - lo; d <= 1e-12*max(math.Abs(lo), math.Abs(hi)) || d < 1e-300 {
		pad := max(math.Abs(lo)*0.1, 1e-300)
		if lo == 0 {
			pad = 1
		}
		lo, hi = lo-pad, hi+pad
	}
	rough := hi/float64(n) - lo/float64(n) // not (hi-lo)/n, which overflows for ±1e308
	mag := math.Pow(10, math.Floor(math.Log10(rough)))
	step := mag * 10
	for _, m := range []float64{1, 2, 5} {
		if m*mag >= rough*0.999 {
			step = m * mag
			break
		}
	}
	s := span{step: step}
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	for k := first; k <= last && len(s.ticks) < 10*n; k++ {
		s.ticks = append(s.ticks, k*step)
	}
	s.min, s.max = first*step, last*step
	return s
}

// logSpan returns the whole decades around [lo, hi].
func logSpan(lo, hi float64) span {
	if lo > hi {
		lo, hi = 1, 10
	}
	first, last := math.Floor(math.Log10(lo)+1e-9), math.Ceil(math.Log10(hi)-1e-9)
	if first == last {
		last++
	}
	every := math.Max(1, math.Ceil((last-first)/8))
	s := span{min: math.Pow(10, first), max: math.Pow(10, last)}
	for k := first; k <= last; k += every {
		s.ticks = append(s.ticks, math.Pow(10, k))
	}
	return s
}

// exponents takes what nobody reads out of Go's: 1e-06 is 1e-6, 1e+09 is 1e9.
var exponents = strings.NewReplacer("e-0", "e-", "e+0", "e", "e+", "e")

// number prints v for people: no noise digits, groups of three from 10,000 on (below that it may be a year).
func number(v float64) string {
	a := math.Abs(v)
	if a != 0 && (a < 1e-4 || a >= 1e9) {
		return exponents.Replace(strconv.FormatFloat(v, 'g', 5, 64))
	}
	s := strconv.FormatFloat(v, 'f', -1, 64)
	if short := strconv.FormatFloat(v, 'g', 6, 64); !strings.Contains(short, "e") && len(short) < len(s) {
		s = short
	}
	if a >= 1e4 {
		whole, frac, _ := strings.Cut(s, ".")
		neg := strings.HasPrefix(whole, "-")
		whole = strings.TrimPrefix(whole, "-")
		for i := len(whole) - 3; i > 0; i -= 3 {
			whole = whole[:i] + "," + whole[i:]
		}
		if neg {
			whole = "-" + whole
		}
		if s = whole; frac != "" && a < 1e6 {
			s += "." + frac
		}
	}
	return s
}

// unit is a size of time to print an axis in.
type unit struct {
	size trace.Time
	name string
}

// in returns t in the unit.
func (u unit) in(t trace.Time) float64 { return float64(t) / float64(u.size) }

// unitFor returns the largest unit of which d holds at least one.
func unitFor(d trace.Time) unit {
	for _, u := range []unit{{trace.Second, "s"}, {trace.Millisecond, "ms"}, {trace.Microsecond, "µs"}} {
		if d >= u.size {
			return u
		}
	}
	return unit{trace.Nanosecond, "ns"}
}
