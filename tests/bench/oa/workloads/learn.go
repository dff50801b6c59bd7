package workloads

import (
	"bytes"
	_ "embed"
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload"
)

//go:embed data/wine.csv
var wine []byte

// Wines returns the analyses, (178, 13), and the cultivators' numbers.
func Wines() (x, class *np.Array) {
	a, err := arrays.ReadCSV(bytes.NewReader(wine))
	if err != nil {
		panic(fmt.Sprint("data/wine.csv: ", err)) // it is part of the program
	}
	return np.FromArray(a.At(arrays.All, arrays.S(0, 13))), np.FromArray(a.At(arrays.All, 13).AsType(arrays.Int64))
}

// ClassifyWines learns of 70 % of the wines and says whose the others are, each repeated times times: standardised, of their two
// principal components, by their five nearest neighbours. It returns the share of right answers.
func ClassifyWines(times int) *np.Array {
	x, class := Wines()
	order := np.DefaultRNG(0).Permutation(x.Len())
	cut := x.Len() * 7 / 10
	train, test := order.At(np.S(0, cut)), order.At(np.S(cut, np.End))

	known := x.At(train)
	mean, std := known.Mean(np.Axis(0)), known.Std(np.Axis(0))
	known = known.Sub(mean).Div(std)
	directions := Components(known, 2)

	points := np.Tile(x.At(test).Sub(mean).Div(std), times, 1)
	answers := Nearest(np.MatMul(points, directions), np.MatMul(known, directions), class.At(train), 5, 3)
	return answers.Eq(np.Tile(class.At(test), times)).Mean()
}

// Blobs returns n points of d features in k groups of equal size, in turn: centres evenly in [-2, 2], a standard deviation of 1
// around them. The numbers are those of NumPy's default_rng.
func Blobs(seed, n, d, k int) *np.Array {
	r := arrays.DefaultRNG(seed)
	centres := r.Uniform(-2, 2, k, d)
	return np.FromArray(r.Normal(0, 1, n, d).Add(centres.At(arrays.Arange(n).Mod(k))))
}

// DBSCAN returns for each point the number of its cluster, from 0 in the order of their first core points, and -1 for noise (Ester
// and others, 1996): a core point has at least enough points within eps, itself among them; core points within eps of each
// other are in one cluster, others in that of the first core point so near. Who is whose neighbour is computed where kernels
// run, n*n*d steps; the clusters are followed on the CPU.
func DBSCAN(x *np.Array, eps float64, enough int) *np.Array {
	return clusters(Near(x, eps), enough)
}

var clusters = np.Annotate(offload.Annotation{
	Name:  "clusters",
	Whole: true,
	Result: func(in []arrays.Spec) (arrays.Spec, error) {
		return arrays.Spec{DType: arrays.Int64, Shape: in[0].Shape[:1]}, nil
	},
	CPU: func(near *arrays.Array, enough int) *arrays.Array {
		n := near.Shape()[0]
		at := near.Bools()
		core := make([]bool, n)
		for i := range n {
			count := 0
			for _, yes := range at[i*n : i*n+n] {
				if yes {
					count++
				}
			}
			core[i] = count >= enough
		}
		of := make([]int64, n)
		for i := range of {
			of[i] = -1
		}
		next := int64(0)
		for i := range n {
			if !core[i] || of[i] >= 0 {
				continue
			}
			of[i] = next
			for todo := []int{i}; len(todo) > 0; {
				p := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				for q, yes := range at[p*n : p*n+n] {
					if yes && of[q] < 0 {
						if of[q] = next; core[q] {
							todo = append(todo, q)
						}
					}
				}
			}
			next++
		}
		return arrays.FromSlice(of)
	},
})
