package offload

import (
	"fmt"
	"math"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/golabel"
)

// Estimator tells what a call costs on the CPU and on a device. The unit is its own, but the same as that of the
// transfer costs of the call's split types.
type Estimator interface {
	Cost(elements int, gpu bool) float64
}

// Linear is a cost of A·log2(elements) + B: the paper's estimators as its authors' code has them, which gives the
// published thresholds.
type Linear struct{ A, B float64 }

// Of returns the cost of n elements.
func (l Linear) Of(n int) float64 { return l.A*math.Log2(float64(max(n, 1))) + l.B }

// LinearCompute is an Estimator of two Linear costs.
func LinearCompute(aCPU, bCPU, aGPU, bGPU float64) Estimator {
	return linearCompute{Linear{aCPU, bCPU}, Linear{aGPU, bGPU}}
}

type linearCompute struct{ cpu, gpu Linear }

func (l linearCompute) Cost(n int, gpu bool) float64 {
	if gpu {
		return l.gpu.Of(n)
	}
	return l.cpu.Of(n)
}

// Candidate is one place at which a call could run.
type Candidate struct {
	GPU               bool
	Compute, Transfer float64
}

// Choice is where a call runs, and why.
type Choice struct {
	GPU        bool
	Why        string
	Candidates []Candidate // none when no costs were compared
}

// Moved is an argument: its split type, its elements, and where it is. A scalar is everywhere.
type Moved struct {
	Type     SplitType
	Elements int
	OnDevice bool
	Scalar   bool
}

// Choose decides where a call of a runs, by the paper's rule: on the CPU when there is nothing else; on the device when
// costs are not known; otherwise on the CPU if that, with what must be moved to it, costs less.
func (a *Annotation) Choose(elements int, args []Moved) Choice {
	var c Choice
	golabel.During(func() { c = a.choose(elements, args) }) // estimators are functions of the user
	return c
}

func (a *Annotation) choose(elements int, args []Moved) Choice {
	if a.GPU == nil {
		return Choice{Why: "it is annotated for the CPU alone"}
	}
	if a.CPU == nil {
		return Choice{GPU: true, Why: "it is annotated for the device alone"}
	}
	if a.Cost == nil {
		return Choice{GPU: true, Why: "it can run on the device, and no cost is known"}
	}
	cpu, gpu := Candidate{Compute: a.Cost.Cost(elements, false)}, Candidate{GPU: true, Compute: a.Cost.Cost(elements, true)}
	for _, m := range args {
		if m.Scalar {
			continue
		}
		cost, ok := m.Type.TransferCost(m.Elements)
		switch {
		case !ok:
			return Choice{GPU: true, Why: fmt.Sprintf("it can run on the device, and what it costs to move %s is not known", m.Type.Name())}
		case m.OnDevice:
			cpu.Transfer += cost
		default:
			gpu.Transfer += cost
		}
	}
	c := Choice{GPU: cpu.Compute+cpu.Transfer >= gpu.Compute+gpu.Transfer, Candidates: []Candidate{cpu, gpu}}
	c.Why = fmt.Sprintf("%d elements cost %.3g + %.3g to move on the CPU, %.3g + %.3g on the device", elements,
		cpu.Compute, cpu.Transfer, gpu.Compute, gpu.Transfer)
	return c
}

// Measured is a cost of Base + PerElement·elements, in seconds.
type Measured struct{ Base, PerElement float64 }

// Of returns the cost of n elements.
func (m Measured) Of(n int) float64 { return m.Base + m.PerElement*float64(n) }

// MeasuredCompute is an Estimator of measured costs.
type MeasuredCompute struct{ CPU, GPU Measured }

// Cost returns seconds.
func (m MeasuredCompute) Cost(n int, gpu bool) float64 {
	if gpu {
		return m.GPU.Of(n)
	}
	return m.CPU.Of(n)
}

// Calibrate measures a function of a number of elements at several sizes, and returns the line that is nearest to the
// times in proportion: each size counts alike, however long it takes. run returns how long one run took: by the wall
// clock, or of a device's own. The median of five runs counts, after one that does not.
func Calibrate(run func(elements int) time.Duration, sizes ...int) Measured {
	var n, y []float64
	for _, size := range sizes {
		run(size)
		var times []time.Duration
		for range 5 {
			times = append(times, run(size))
		}
		n, y = append(n, float64(size)), append(y, median(times).Seconds())
	}
	return fit(n, y)
}

// fit minimises the sum of squares of (base + per·n - y)/y; neither may be negative.
func fit(n, y []float64) Measured {
	var s1, sn, snn, sy, sny float64
	for i := range n {
		w := 1 / (y[i] * y[i])
		s1, sn, snn, sy, sny = s1+w, sn+w*n[i], snn+w*n[i]*n[i], sy+w*y[i], sny+w*n[i]*y[i]
	}
	m := Measured{}
	if det := s1*snn - sn*sn; det > 0 {
		m = Measured{(sy*snn - sny*sn) / det, (s1*sny - sn*sy) / det}
	}
	if m.PerElement <= 0 {
		m = Measured{Base: sy / s1}
	}
	if m.Base < 0 {
		m = Measured{PerElement: sny / snn}
	}
	return m
}

func median(times []time.Duration) time.Duration {
	for i := range times {
		for k := i; k > 0 && times[k] < times[k-1]; k-- {
			times[k], times[k-1] = times[k-1], times[k]
		}
	}
	return times[len(times)/2]
}
