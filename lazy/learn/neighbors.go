package learn

import (
	"fmt"
	"math"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

// KNeighborsClassifier gives a sample the class that most of its k nearest neighbours among the known ones have, of
// several such the first in order. Of samples equally far the one that was given first is nearer.
type KNeighborsClassifier struct {
	model
	k     int
	dtype np.DType // of the classes
}

// neighbours is a KNeighborsClassifier as a value of the graph: the samples (n, features), the number of the class of
// each (n), and the classes in order.
type neighbours struct {
	k                 int
	x, class, classes *np.Array
}

// Arrays is for calls on the CPU.
func (m *neighbours) Arrays() []*np.Array { return []*np.Array{m.x, m.class, m.classes} }

// NewKNeighborsClassifier returns a model that asks k neighbours, and is not fitted.
func NewKNeighborsClassifier(k int) *KNeighborsClassifier {
	c := &KNeighborsClassifier{model: construct("KNeighborsClassifier", fmt.Sprintf("KNeighborsClassifier(k=%d)", k), &neighbours{k: k}), k: k}
	if k < 1 {
		c.fail("New", nil, "k is %d; at least one neighbour must be asked", k)
	}
	return c
}

// predictNearest is for processors: the nearest are kept in order while the known samples are gone through.
func predictNearest(m *neighbours, x *arrays.Array) *arrays.Array {
	finite("KNeighborsClassifier.Predict", x)
	known, class := arrays.Data[float64](m.x.Array()), m.class.Array().Ints()
	classes := m.classes.Array()
	n, d := x.Shape()[0], x.Shape()[1]
	at, out := arrays.Data[float64](x), make([]int, n)
	distance, nearest := make([]float64, m.k), make([]int, m.k)
	votes := make([]int, classes.Size())
	for i := range n {
		arrays.Wiring{}.Poll()
		found := 0
		for j := range class {
			s := distance2(at[i*d:i*d+d], known[j*d:j*d+d])
			if found == m.k && !(s < distance[m.k-1]) {
				continue
			}
			to := min(found, m.k-1)
			for ; to > 0 && s < distance[to-1]; to-- {
				distance[to], nearest[to] = distance[to-1], nearest[to-1]
			}
			distance[to], nearest[to] = s, j
			found = min(found+1, m.k)
		}
		clear(votes)
		for _, j := range nearest {
			votes[class[j]]++
		}
		for c, v := range votes {
			if v > votes[out[i]] {
				out[i] = c
			}
		}
	}
	return classes.At(arrays.FromSlice(out))
}

// predictByRounds is for devices: in each of k rounds the nearest neighbour is found and taken out.
func predictByRounds(m *neighbours, x *np.Array) *np.Array {
	known, classes := np.Arange(m.x.Len()), np.Arange(m.classes.Len())
	distances := distances2(x, m.x)
	votes := np.Zeros(x.Len(), m.classes.Len()).AsType(np.Int64)
	for range m.k {
		taken := known.Equal(argMin(distances)) // (n, known)
		class := np.Where(taken, m.class, 0).Sum(np.Axis(1), np.KeepDims())
		votes = votes.Add(classes.Equal(class).AsType(np.Int64))
		distances = np.Where(taken, math.Inf(1), distances)
	}
	return m.classes.At(argMin(votes.Neg()).At(np.All, 0))
}

var (
	neighboursFit = offload.Annotation{Name: "KNeighborsClassifier.fit", Whole: true,
		Args: []offload.Param{{Type: Models, Mutable: true}, {Type: np.Rows}, {Type: np.Rows}},
		GPU: func(m *neighbours, x, y *np.Array) *neighbours {
			finiteHere("KNeighborsClassifier.Fit", x)
			classes, class := np.UniqueInverse(y)
			return &neighbours{m.k, x.Copy(), class, classes}
		}}
	neighboursPredict = offload.Annotation{Name: "KNeighborsClassifier.predict", Args: uses, Cost: elsewhere{},
		CPU: predictNearest, GPU: predictByRounds}
)

// Fit keeps the samples, (n, features), and their classes y, (n): numbers or text. It returns c. It panics with
// *arrays.Error when the shapes do not fit or there are fewer samples than neighbours to ask.
func (c *KNeighborsClassifier) Fit(x, y any) *KNeighborsClassifier {
	a, class := c.matrix("Fit", x), c.array("Fit", y)
	switch n := a.Len(); {
	case class.NDim() != 1 || class.Len() != n:
		c.fail("Fit", [][]int{a.Shape(), class.Shape()}, "there are %d samples, and classes of the shape %v; each sample has one", n, class.Shape())
	case n < c.k:
		c.fail("Fit", [][]int{a.Shape()}, "there are %d samples, fewer than the %d neighbours to ask", n, c.k)
	}
	c.dtype = class.DType()
	c.change(neighboursFit, c.training("Fit", a), class)
	return c
}

// Predict returns the classes of samples, (n, features): (n). It panics with *arrays.Error when c is not fitted or x
// has another number of features.
func (c *KNeighborsClassifier) Predict(x any) *np.Array {
	a := c.asked("Predict", x, c.features, "features")
	return c.call(neighboursPredict, c.dtype, []int{a.Len()}, a)
}

// Score returns the share of samples, (n, features), whose classes are predicted to be y, (n): 0-d.
func (c *KNeighborsClassifier) Score(x, y any) *np.Array {
	return c.rightly(c.Predict(x), y)
}
