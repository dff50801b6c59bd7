package learn

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/workers"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// DBSCAN finds clusters of any form, and noise (Ester and others, 1996): a core sample has at least so many samples
// within eps, itself among them; core samples within eps of each other are in one cluster, others in that of a core
// sample so near.
type DBSCAN struct{ model }

// dbscan is a DBSCAN as a value of the graph: the number of each sample's cluster (n), and whether it is a core sample
// (n).
type dbscan struct {
	eps          float64
	enough       int
	labels, core *np.Array
}

// Arrays is for calls on the CPU.
func (m *dbscan) Arrays() []*np.Array { return []*np.Array{m.labels, m.core} }

func (m *dbscan) labelled() *np.Array { return m.labels }

// NewDBSCAN returns a model that is not fitted: neighbours are within eps, a core sample has minSamples of them.
func NewDBSCAN(eps float64, minSamples int) *DBSCAN {
	m := &DBSCAN{construct("DBSCAN", fmt.Sprintf("DBSCAN(eps=%v, minSamples=%d)", eps, minSamples), &dbscan{eps: eps, enough: minSamples})}
	switch {
	case !(eps > 0):
		m.fail("New", nil, "eps is %v; it must be above 0", eps)
	case minSamples < 1:
		m.fail("New", nil, "minSamples is %d; a core sample has at least itself within eps", minSamples)
	}
	return m
}

// fitDBSCAN is for processors: products of matrices say who is near, but for pairs whose distance they do not tell from
// eps; and of each sample the neighbours are listed.
func fitDBSCAN(m *dbscan, x *arrays.Array) *dbscan {
	finite("DBSCAN.Fit", x)
	labels, core := followClusters(neighboursWithin(x, m.eps), m.enough)
	return &dbscan{m.eps, m.enough, np.FromArray(arrays.FromSlice(labels)), np.FromArray(arrays.FromSlice(core))}
}

// fitDBSCANByKernels is for devices: a kernel tells of each two samples whether they are near, n·n·d steps; the
// clusters are followed on the CPU.
func fitDBSCANByKernels(m *dbscan, x *np.Array) *dbscan {
	finiteHere("DBSCAN.Fit", x)
	near := distances2(x, x).LessEqual(m.eps * m.eps)
	return &dbscan{m.eps, m.enough, clusters(near, m.enough), near.AsType(np.Int64).Sum(np.Axis(1)).GreaterEqual(m.enough)}
}

// clusters takes (n, n) bools.
var clusters = np.Annotate(offload.Annotation{
	Name:  "clusters",
	Whole: true,
	Result: func(in []arrays.Spec) (arrays.Spec, error) {
		return arrays.Spec{DType: arrays.Int64, Shape: in[0].Shape[:1]}, nil
	},
	CPU: func(near *arrays.Array, enough int) []int64 {
		n := near.Shape()[0]
		at, lists := arrays.Data[bool](near), make([][]int32, n)
		workers.Do(n, func(i int) {
			for j, yes := range at[i*n : i*n+n] {
				if yes {
					lists[i] = append(lists[i], int32(j))
				}
			}
		}, arrays.Wiring{}.Poll)
		labels, _ := followClusters(lists, enough)
		return labels
	},
})

// neighboursWithin lists of each of the samples, (n, d), those within eps, itself among them. With the lengths of
// samples known, a product of matrices gives the squares of distances, |a|² + |b|² - 2ab, with an error of a few
// roundings of |a|² + |b|²; where that leaves open on which side of eps² a distance lies, it is computed from the
// coordinates.
func neighboursWithin(x *arrays.Array, eps float64) [][]int32 {
	const rows = 256
	n, d := x.Shape()[0], x.Shape()[1]
	at, lists := arrays.Data[float64](x), make([][]int32, n)
	length2 := make([]float64, n)
	for i := range n {
		for _, v := range at[i*d : i*d+d] {
			length2[i] += v * v
		}
	}
	limit, transposed := eps*eps, x.T()
	open := float64(d+8) * 0x1p-52
	for from := 0; from < n; from += rows {
		to := min(from+rows, n)
		products := arrays.Data[float64](arrays.MatMul(x.At(arrays.S(from, to)), transposed))
		workers.Do(to-from, func(k int) {
			i := from + k
			near := make([]int32, 0, 32)
			for j, p := range products[k*n : k*n+n] {
				sum := length2[i] + length2[j]
				s, unsure := sum-2*p, open*sum
				if s > limit+unsure {
					continue
				}
				if s < limit-unsure || distance2(at[i*d:i*d+d], at[j*d:j*d+d]) <= limit {
					near = append(near, int32(j))
				}
			}
			lists[i] = near
		}, arrays.Wiring{}.Poll)
	}
	return lists
}

// followClusters numbers clusters from 0 in the order of their first core samples; noise has -1.
func followClusters(near [][]int32, enough int) (labels []int64, core []bool) {
	labels, core = make([]int64, len(near)), make([]bool, len(near))
	for i, list := range near {
		labels[i], core[i] = -1, len(list) >= enough
	}
	next := int64(0)
	for i := range near {
		if !core[i] || labels[i] >= 0 {
			continue
		}
		labels[i] = next
		for todo := []int{i}; len(todo) > 0; {
			p := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for _, q := range near[p] {
				if labels[q] < 0 {
					if labels[q] = next; core[q] {
						todo = append(todo, int(q))
					}
				}
			}
		}
		next++
		arrays.Wiring{}.Poll()
	}
	return labels, core
}

var dbscanFit, dbscanFitPredict = clustering("DBSCAN", fitDBSCAN, fitDBSCANByKernels, (*dbscan).labelled)

// Fit finds the clusters of samples, (n, features), and returns m. The pairs of neighbours are kept while it runs. It
// panics with *arrays.Error when x is not a matrix of real numbers.
func (m *DBSCAN) Fit(x any) *DBSCAN {
	m.change(dbscanFit, m.training("Fit", x))
	return m
}

// FitPredict is [DBSCAN.Fit], and [DBSCAN.Labels].
func (m *DBSCAN) FitPredict(x any) *np.Array {
	a := m.training("FitPredict", x)
	return m.call(dbscanFitPredict, np.Int64, []int{a.Len()}, a)
}

// Labels returns the number of each sample's cluster, (n), from 0 in the order of their first core samples; -1 is
// noise.
func (m *DBSCAN) Labels() *np.Array {
	return attribute(&m.model, "labels_", np.Int64, []int{m.samples}, (*dbscan).labelled)
}

// Core returns of each sample whether it is a core sample, (n).
func (m *DBSCAN) Core() *np.Array {
	return attribute(&m.model, "core", np.Bool, []int{m.samples}, func(v *dbscan) *np.Array { return v.core })
}
