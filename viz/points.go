package viz

import (
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
)

// points are the points of a series as they were given: not to be written to, and possibly hundreds of millions.
type points struct {
	x, y       []float64 // without x they stand at 0, 1, 2, …
	logX, logY bool
}

// manyPoints is from where on points are thinned a first time before they are copied.
const manyPoints = 1 << 18

func (p *points) at(i int) (x, y float64) {
	if p.x == nil {
		return float64(i), p.y[i]
	}
	return p.x[i], p.y[i]
}

// drawn reports whether a point can be drawn.
func (p *points) drawn(x, y float64) bool {
	return finite(x) && finite(y) && !(p.logX && x <= 0) && !(p.logY && y <= 0)
}

// refused counts the points that cannot be drawn: for not being finite, and for not being on a logarithmic axis.
func (p *points) refused() (bad, nonPositive int) {
	scan(len(p.y), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			switch x, y := p.at(i); {
			case !finite(x) || !finite(y):
				bad++
			case !p.drawn(x, y):
				nonPositive++
			}
		}
	})
	return bad, nonPositive
}

// all returns copies, with NaN in y, and in x where x is why, for points that cannot be drawn.
func (p *points) all() (x, y []float64) {
	x, y = make([]float64, len(p.y)), make([]float64, len(p.y))
	for i := range y {
		x[i], y[i] = p.at(i)
		if !p.drawn(x[i], y[i]) {
			y[i] = math.NaN()
		}
		if !finite(x[i]) || p.logX && x[i] <= 0 {
			x[i] = math.NaN()
		}
	}
	return x, y
}

// few returns all points, or those that thin chooses where they are many.
func (p *points) few(thin func() (x, y []float64)) (x, y []float64) {
	if len(p.y) > manyPoints {
		return thin()
	}
	return p.all()
}

// extremes returns the lowest and the highest point of each of many stretches, in order, and a gap for a stretch that
// has none: what thinLine then chooses from. Two steps lose nothing that is seen (J. Van Der Donckt et al.,
// "MinMaxLTTB", 2023).
func (p *points) extremes() (x, y []float64) {
	const stretches = 8 * maxLine
	n := len(p.y)
	for k := range stretches {
		lo, hi := int(int64(k)*int64(n)/stretches), int(int64(k+1)*int64(n)/stretches)
		low, high := -1, -1
		if k%100 == 0 {
			arrays.Wiring{}.Poll()
		}
		for i := lo; i < hi; i++ {
			xi, yi := p.at(i)
			if !p.drawn(xi, yi) {
				continue
			}
			if low < 0 || yi < p.y[low] {
				low = i
			}
			if high < 0 || yi > p.y[high] {
				high = i
			}
		}
		add := func(i int) {
			xi, yi := p.at(i)
			x, y = append(x, xi), append(y, yi)
		}
		first, last := min(low, high), max(low, high)
		switch {
		case low < 0:
			xi, _ := p.at(lo)
			x, y = append(x, xi), append(y, math.NaN())
			continue
		case k == 0 && first > lo: // the ends stay
			if xi, yi := p.at(lo); p.drawn(xi, yi) {
				add(lo)
			}
		}
		add(first)
		if last > first {
			add(last)
		}
		if k == stretches-1 && last < n-1 {
			if xi, yi := p.at(n - 1); p.drawn(xi, yi) {
				add(n - 1)
			}
		}
	}
	return x, y
}

// cells returns the first point in each cell of the finest grid that thinScatter begins with.
func (p *points) cells() (x, y []float64) {
	xlo, xhi := math.Inf(1), math.Inf(-1)
	ylo, yhi := xlo, xhi
	scan(len(p.y), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if xi, yi := p.at(i); p.drawn(xi, yi) {
				xlo, xhi = min(xlo, xi), max(xhi, xi)
				ylo, yhi = min(ylo, yi), max(yhi, yi)
			}
		}
	})
	across := scatterCols + 1
	seen := make([]bool, across*(scatterRows+1))
	scan(len(p.y), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			xi, yi := p.at(i)
			if !p.drawn(xi, yi) {
				continue
			}
			if c := cellOf(yi, ylo, yhi, scatterRows)*across + cellOf(xi, xlo, xhi, scatterCols); !seen[c] {
				seen[c] = true
				x, y = append(x, xi), append(y, yi)
			}
		}
	})
	return x, y
}

// cellOf is the number of v's cell, from 0 to n; the halves keep ±1e308 from overflowing.
func cellOf(v, lo, hi, n float64) int {
	if hi == lo {
		return 0
	}
	return int((v/2 - lo/2) / (hi/2 - lo/2) * n)
}
