package viz

import "math"

// Points drawn of one series at most: about two for each pixel of a notebook's width. More would make cells of
// megabytes that look the same.
const (
	maxLine    = 1500
	maxScatter = 3000
)

// The finest grid over a scatter, in pixels.
const (
	scatterCols = 600
	scatterRows = 240
)

// thinLine returns at most about n of the points, with the shape of the line kept: the largest-triangle-three-buckets
// method of S. Steinarsson, "Downsampling Time Series for Visual Representation" (2013). Each stretch between gaps (NaN
// in y, kept as one point) is thinned by itself, with its share of n.
func thinLine(x, y []float64, n int) (tx, ty []float64) {
	if len(x) <= n {
		return x, y
	}
	for lo := 0; lo < len(x); {
		hi := lo
		for hi < len(x) && !math.IsNaN(y[hi]) {
			hi++
		}
		share := max(3, int(int64(n)*int64(hi-lo)/int64(len(x))))
		for _, i := range triangles(x[lo:hi], y[lo:hi], share) {
			tx, ty = append(tx, x[lo+i]), append(ty, y[lo+i])
		}
		if hi < len(x) && (len(ty) == 0 || !math.IsNaN(ty[len(ty)-1])) {
			tx, ty = append(tx, x[hi]), append(ty, math.NaN())
		}
		lo = hi + 1
	}
	return tx, ty
}

// triangles returns the indices of n of the points: the first, the last, and of each bucket between them the one that
// makes the largest triangle with the point chosen before it and the mean of the bucket after it.
func triangles(x, y []float64, n int) []int {
	m := len(x)
	if m <= n || n < 3 {
		all := make([]int, m)
		for i := range all {
			all[i] = i
		}
		return all
	}
	bucket := func(k int) int { return 1 + int(int64(k)*int64(m-2)/int64(n-2)) } // start of bucket k
	out := []int{0}
	last := 0
	for k := range n - 2 {
		lo, hi := bucket(k), bucket(k+1)
		next := min(bucket(k+2), m)
		if k == n-3 {
			next = m
		}
		var mx, my float64
		for i := hi; i < next; i++ {
			mx += x[i]
			my += y[i]
		}
		mx /= float64(next - hi)
		my /= float64(next - hi)
		best, area := lo, -1.0
		for i := lo; i < hi; i++ {
			a := math.Abs((x[last]-mx)*(y[i]-y[last]) - (x[last]-x[i])*(my-y[last]))
			if a > area {
				best, area = i, a
			}
		}
		out = append(out, best)
		last = best
	}
	return append(out, m-1)
}

// thinScatter returns at most n of the points: the first in each cell of a grid over the picture, the finest grid (of
// one pixel at first) that leaves so few. Outliers keep their dot, which taking every k-th point would not promise.
func thinScatter(x, y []float64, n int) (tx, ty []float64) {
	if len(x) <= n {
		return x, y
	}
	xlo, xhi := math.Inf(1), math.Inf(-1)
	ylo, yhi := xlo, xhi
	for i := range x {
		if finite(x[i]) && finite(y[i]) {
			xlo, xhi = min(xlo, x[i]), max(xhi, x[i])
			ylo, yhi = min(ylo, y[i]), max(yhi, y[i])
		}
	}
	for w, h := float64(scatterCols), float64(scatterRows); ; w, h = w*0.8, h*0.8 {
		tx, ty = nil, nil
		across := int(w) + 1
		seen := make([]bool, across*(int(h)+1))
		for i := range x {
			if !finite(x[i]) || !finite(y[i]) {
				continue
			}
			c := cellOf(y[i], ylo, yhi, math.Floor(h))*across + cellOf(x[i], xlo, xhi, math.Floor(w))
			if !seen[c] {
				seen[c] = true
				tx, ty = append(tx, x[i]), append(ty, y[i])
				if len(tx) > n {
					break
				}
			}
		}
		if len(tx) <= n {
			return tx, ty
		}
	}
}
