package learn

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// KMeans finds k centres such that samples are near them: each centre moves to the mean of the samples that are nearest
// to it, again and again (Lloyd, 1982).
type KMeans struct {
	model
	k int
}

// kmeans is a KMeans as a value of the graph: centres (k, features), the number of the centre of each sample (n), and
// the sum of the squares of the distances to them, 0-d.
type kmeans struct {
	k, seed, steps           int
	tolerance                float64
	init                     *np.Array
	centres, labels, inertia *np.Array
}

// Arrays is for calls on the CPU.
func (m *kmeans) Arrays() []*np.Array { return []*np.Array{m.init, m.centres, m.labels, m.inertia} }

func (m *kmeans) labelled() *np.Array { return m.labels }

// A KMeansOption is a setting of [NewKMeans].
type KMeansOption func(*kmeans)

// Seed is the seed of the random numbers by which the first centres are chosen; 0 without it.
func Seed(seed int) KMeansOption { return func(m *kmeans) { m.seed = seed } }

// Init has the first centres, (k, features). Without it they are samples, chosen far from each other with greedy
// k-means++ (Arthur and Vassilvitskii, 2007).
func Init(centres any) KMeansOption {
	return func(m *kmeans) { m.init = new(model{name: "Init"}).matrix("Init", centres) }
}

// MaxSteps is how often the centres are moved at most; 300 without it.
func MaxSteps(n int) KMeansOption { return func(m *kmeans) { m.steps = n } }

// Tolerance ends the steps when the squares of the ways of all centres add up to no more than so many times the mean
// variance of the features; 1e-4 without it. They end, whatever it is, when no sample changes its centre.
func Tolerance(t float64) KMeansOption { return func(m *kmeans) { m.tolerance = t } }

// NewKMeans returns a model of k clusters that is not fitted.
func NewKMeans(k int, options ...KMeansOption) *KMeans {
	m := &kmeans{k: k, steps: 300, tolerance: 1e-4}
	for _, o := range options {
		o(m)
	}
	text := fmt.Sprintf("KMeans(k=%d, seed=%d)", k, m.seed)
	if m.init != nil {
		text = fmt.Sprintf("KMeans(k=%d, init=%v)", k, m.init.Shape())
	}
	out := &KMeans{construct("KMeans", text, m), k}
	switch {
	case k < 1:
		out.fail("New", nil, "k is %d; at least one cluster is needed", k)
	case m.init != nil && m.init.Len() != k:
		out.fail("New", [][]int{m.init.Shape()}, "the first centres have the shape %v; there must be %d of them", m.init.Shape(), k)
	}
	return out
}

// fitKMeans is for processors.
func fitKMeans(m *kmeans, x *arrays.Array) *kmeans {
	finite("KMeans.Fit", x)
	l := newLloyd(m, x)
	for step := 0; step < m.steps; step++ {
		same := l.assign()
		if way := l.move(); same || way <= l.tolerance {
			break
		}
	}
	l.assign()
	out := *m
	out.centres = np.FromArray(arrays.FromSlice(l.centres, m.k, l.d))
	out.labels = np.FromArray(arrays.FromSlice(l.labels))
	out.inertia = np.FromArray(arrays.Scalar(l.inertia()))
	return &out
}

// fitKMeansByKernels is for devices: the first centres are chosen on the CPU, every step is a few kernels, of which the
// CPU is told how far the centres went.
func fitKMeansByKernels(m *kmeans, x *np.Array) *kmeans {
	finiteHere("KMeans.Fit", x)
	l := newLloyd(m, x.Array())
	centres := np.FromSlice(l.centres, m.k, l.d)
	labels := nearestOf(x, centres)
	for step := 0; step < m.steps; step++ {
		mine := labels.At(np.All, np.NewAxis).Equal(np.Arange(m.k)).AsType(np.Float64) // (n, k)
		count := mine.Sum(np.Axis(0))
		sums := mine.At(np.All, np.All, np.NewAxis).Mul(x.At(np.All, np.NewAxis, np.All)).Sum(np.Axis(0)) // (k, d)
		next := sums.Div(np.Maximum(count, 1).At(np.All, np.NewAxis))
		np.Eval(next, count, labels)
		if l.anyEmpty(count.Float64s()) { // rare: the CPU knows where it goes
			l.centres, l.labels = centres.Float64s(), labels.Ints()
			l.move()
			next = np.FromSlice(l.centres, m.k, l.d)
		}
		way := next.Sub(centres)
		now := nearestOf(x, next)
		moved, same := way.Mul(way).Sum(), now.Equal(labels).AllTrue()
		np.Eval(moved, same, now)
		centres, labels = next, now
		if same.Item().(bool) || moved.Float64() <= l.tolerance {
			break
		}
	}
	out := *m
	out.centres, out.labels = centres, labels
	out.inertia = distances2(x, centres).Min(np.Axis(1)).Sum()
	return &out
}

// nearestOf returns the number of the centre, (k, d), that is nearest to each of the points, (n, d).
func nearestOf(x, centres *np.Array) *np.Array { return argMin(distances2(x, centres)).At(np.All, 0) }

var (
	kmeansFit, kmeansFitPredict = clustering("KMeans", fitKMeans, fitKMeansByKernels, (*kmeans).labelled)
	kmeansPredict               = offload.Annotation{Name: "KMeans.predict", Args: uses, Cost: elsewhere{},
		CPU: func(m *kmeans, x *arrays.Array) *arrays.Array {
			l := &lloyd{x: arrays.Data[float64](x), n: x.Shape()[0], d: x.Shape()[1], k: m.k, centres: arrays.Data[float64](m.centres.Array())}
			l.labels = make([]int, l.n)
			l.assignRows(0, l.n)
			return arrays.FromSlice(l.labels)
		},
		GPU: func(m *kmeans, x *np.Array) *np.Array { return nearestOf(x, m.centres) }}
)

func (m *KMeans) training(op string, x any) *np.Array {
	a := m.matrix(op, x)
	if n := a.Len(); n < m.k {
		m.fail(op, [][]int{a.Shape()}, "there are %d samples for %d clusters; there must be as many at least", n, m.k)
	}
	return m.model.training(op, a)
}

// Fit finds the centres of samples, (n, features), and returns m. It panics with *arrays.Error when x is not a matrix
// of real numbers, or has fewer rows than there are clusters; evaluation does when first centres have another number of
// features.
func (m *KMeans) Fit(x any) *KMeans {
	m.change(kmeansFit, m.training("Fit", x))
	return m
}

// FitPredict is [KMeans.Fit], and [KMeans.Labels].
func (m *KMeans) FitPredict(x any) *np.Array {
	a := m.training("FitPredict", x)
	return m.call(kmeansFitPredict, np.Int64, []int{a.Len()}, a)
}

// Predict returns the number of the centre that is nearest to each of the samples, (n, features): (n). It panics with
// *arrays.Error when m is not fitted or x has another number of features.
func (m *KMeans) Predict(x any) *np.Array {
	a := m.asked("Predict", x, m.features, "features")
	return m.call(kmeansPredict, np.Int64, []int{a.Len()}, a)
}

// Labels returns the number of the centre of each sample that m was fitted on, (n).
func (m *KMeans) Labels() *np.Array {
	return attribute(&m.model, "labels_", np.Int64, []int{m.samples}, (*kmeans).labelled)
}

// ClusterCenters returns the centres, (k, features).
func (m *KMeans) ClusterCenters() *np.Array {
	return attribute(&m.model, "cluster_centers_", np.Float64, []int{m.k, m.features}, func(v *kmeans) *np.Array { return v.centres })
}

// Inertia returns the sum of the squares of the distances of the samples to their centres, 0-d.
func (m *KMeans) Inertia() *np.Array {
	return attribute(&m.model, "inertia_", np.Float64, []int{}, func(v *kmeans) *np.Array { return v.inertia })
}
