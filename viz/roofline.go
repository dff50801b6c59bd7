package viz

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// Roofline draws each kernel of the logs (by default: of the last evaluation) as a point: the floating-point operations
// that it did for each byte of device memory that it moved, and the rate at which it did them; under what the device
// allows: its memory's bandwidth on the left, its arithmetic on the right (S. Williams, A. Waterman and D. Patterson,
// "Roofline", 2009). Runs of one kernel are added up.
//
// For example:
//
//	np.Eval(np.Exp(x) * y)
//	viz.Roofline()
func Roofline(logs ...*trace.Log) *Chart {
	logs, err := logsOrLast(logs)
	if err != nil {
		return &Chart{Err: err}
	}
	all := kernelsByName(logs)
	if len(all) == 0 {
		return failed("Roofline: %w", noKernels(logs))
	}
	st := &all[0].stats
	if st.PeakBandwidth <= 0 || st.PeakFlops32 <= 0 {
		return failed("Roofline: the device does not tell its peak rates")
	}
	c := &Chart{Title: "Roofline: the rate of each kernel under what the device allows", Subtitle: fmt.Sprintf("%s: %.3g GB/s, %.3g Tflop/s in f32, %.3g in f64", all[0].device, st.PeakBandwidth/1e9, st.PeakFlops32/1e12, st.PeakFlops64/1e12), logs: logs, terms: []string{"roofline", "arithmetic intensity", "memory bound", "compute bound"}}
	var dots []rooflineDot
	without := 0
	xlo, xhi := st.PeakFlops32/st.PeakBandwidth, st.PeakFlops32/st.PeakBandwidth // the ridge is in the picture
	for _, k := range all {
		flops, bytes := float64(k.stats.Flops32+k.stats.Flops64), float64(k.stats.DRAMBytes)
		if flops == 0 || bytes == 0 || k.time == 0 || k.stats.PeakBandwidth != st.PeakBandwidth || len(dots) == maxKernels {
			without++
			continue
		}
		x, y := flops/bytes, flops/k.time.Seconds()/1e9
		xlo, xhi = min(xlo, x), max(xhi, x)
		roof := min(x*st.PeakBandwidth, k.peak()) / 1e9
		said := fmt.Sprintf("%s flop/B, %s Gflop/s: %s %% of the roof above it, which is %s", roundedTo(3, x), roundedTo(3, y), roundedTo(2, 100*y/roof), k.boundBy(x))
		dots = append(dots, rooflineDot{k.name, x, y, said})
		c.Notes = append(c.Notes, fmt.Sprintf("%s: %s.", k.name, said))
	}
	if len(dots) == 0 {
		return failed("Roofline: no kernel did floating-point operations and moved bytes of device memory")
	}
	if without > 0 {
		c.Notes = append(c.Notes, fmt.Sprintf("%d kernels are not drawn: without floating-point operations or bytes of device memory, of another device, or shorter.", without))
	}
	c.Notes = append(c.Notes, modelNote(logs)...)
	lo, hi := math.Pow(10, math.Floor(math.Log10(xlo/1.3))), math.Pow(10, math.Ceil(math.Log10(2*xhi)))
	p := Panel{X: Axis{Label: "floating-point operations for each byte of device memory", Unit: "flop/B", Log: true}, Y: Axis{Label: "rate", Unit: "Gflop/s", Log: true}, Height: 280}
	ridge := st.PeakFlops32 / st.PeakBandwidth
	p.Series = append(p.Series, Series{Name: "bandwidth, then f32", Color: limitColor, X: []float64{lo, ridge, hi},
		Y: []float64{lo * st.PeakBandwidth / 1e9, st.PeakFlops32 / 1e9, st.PeakFlops32 / 1e9}})
	if ridge := st.PeakFlops64 / st.PeakBandwidth; ridge > lo && ridge < hi {
		p.Series = append(p.Series, Series{Name: "f64", Color: grey, Dashed: true, X: []float64{ridge, hi}, Y: []float64{st.PeakFlops64 / 1e9, st.PeakFlops64 / 1e9}})
	}
	p.Series = append(p.Series, kernelDots(dots, math.Log10(hi/lo)))
	px, py := ranged(&p)
	kernels := &p.Series[len(p.Series)-1]
	kernels.placeLabels(geometry{xs: px, ys: py, logX: true, logY: true, x0: 60, x1: width - 24, y1: float64(p.Height)})
	c.Panels = []Panel{p}
	return c
}

// rooflineDot is a kernel in the picture.
type rooflineDot struct {
	name string
	x, y float64
	said string
}

// kernelDots is a point for each kernel, and one for those that would cover each other: its label names them all.
func kernelDots(dots []rooflineDot, decades float64) Series {
	s := Series{Name: "kernels", Mark: MarkPoint, Color: kindColors[trace.Kernel]}
	for _, d := range dots {
		at := -1
		for i := range s.X {
			if covers(s.X[i], d.x, decades) && covers(s.Y[i], d.y, decades) {
				at = i
			}
		}
		if at >= 0 {
			l := &s.labels[at]
			l.text, l.tip = cutTo(60, l.text+", "+laneTitle(d.name)), append(l.tip, d.name, d.said)
			continue
		}
		s.X, s.Y = append(s.X, d.x), append(s.Y, d.y)
		s.labels = append(s.labels, dotLabel{text: laneTitle(d.name), tip: []string{d.name, d.said}, key: d.name})
	}
	return s
}

// peak is the arithmetic that k could do at most: f64 where it does most of its operations.
func (k *kernelSum) peak() float64 {
	if k.stats.Flops64 > k.stats.Flops32 && k.stats.PeakFlops64 > 0 {
		return k.stats.PeakFlops64
	}
	return k.stats.PeakFlops32
}

func (k *kernelSum) boundBy(intensity float64) string {
	if intensity*k.stats.PeakBandwidth < k.peak() {
		return "memory bandwidth"
	}
	if k.peak() == k.stats.PeakFlops64 {
		return "f64 arithmetic"
	}
	return "f32 arithmetic"
}
