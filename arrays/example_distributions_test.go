package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// The numbers are those of numpy.random's generators with the same seed.

func ExamplePhiloxRNG() {
	fmt.Println(np.PhiloxRNG(42).Random(3).Round(6))
	// Output: [0.086078 0.141557 0.270093]
}

func ExampleRNG_String() {
	fmt.Println(np.DefaultRNG(42), np.PhiloxRNG(42))
	// Output: RNG(PCG64) RNG(Philox)
}

func ExampleRNG_LogNormal() {
	fmt.Println(np.DefaultRNG(42).LogNormal(0, 0.5, 3).Round(6))
	// Output: [1.164578 0.594525 1.45532 ]
}

func ExampleRNG_Gamma() {
	fmt.Println(np.DefaultRNG(42).Gamma(2, 1.5, 3).Round(6))
	// Output: [3.137726 4.253018 2.755823]
}

func ExampleRNG_ChiSquare() {
	fmt.Println(np.DefaultRNG(42).ChiSquare(4, 3).Round(6))
	// Output: [4.183635 5.670691 3.674431]
}

func ExampleRNG_Beta() {
	fmt.Println(np.DefaultRNG(42).Beta(2, 5, 3).Round(6))
	// Output: [0.243955 0.284061 0.390272]
}

func ExampleRNG_StandardT() {
	fmt.Println(np.DefaultRNG(42).StandardT(10, 3).Round(6))
	// Output: [ 0.41004   0.945464 -0.021491]
}

func ExampleRNG_StandardCauchy() {
	fmt.Println(np.DefaultRNG(42).StandardCauchy(3).Round(6))
	// Output: [-0.293002  0.797873  1.498284]
}

func ExampleRNG_Laplace() {
	fmt.Println(np.DefaultRNG(42).Laplace(0, 1, 3).Round(6))
	// Output: [ 0.793879 -0.130386  1.263001]
}

func ExampleRNG_Logistic() {
	fmt.Println(np.DefaultRNG(42).Logistic(0, 1, 3).Round(6))
	// Output: [ 1.230786 -0.245715  1.803693]
}

func ExampleRNG_Gumbel() {
	fmt.Println(np.DefaultRNG(42).Gumbel(0, 1, 3).Round(6))
	// Output: [-0.396778  0.548497 -0.670977]
}

func ExampleRNG_Weibull() {
	fmt.Println(np.DefaultRNG(42).Weibull(1.5, 3).Round(6))
	// Output: [1.794657 1.760646 1.784966]
}

func ExampleRNG_Pareto() {
	fmt.Println(np.DefaultRNG(42).Pareto(3, 3).Round(6))
	// Output: [1.228665 1.178703 1.214265]
}

func ExampleRNG_Power() {
	fmt.Println(np.DefaultRNG(42).Power(3, 3).Round(6))
	// Output: [0.968932 0.96667  0.968302]
}

func ExampleRNG_Rayleigh() {
	fmt.Println(np.DefaultRNG(42).Rayleigh(2, 3).Round(6))
	// Output: [4.385621 4.323137 4.367847]
}

func ExampleRNG_Triangular() {
	fmt.Println(np.DefaultRNG(42).Triangular(0, 1, 4, 3).Round(6))
	// Output: [2.353025 1.405109 2.697378]
}

// Another mean for each column.
func ExampleRNG_Poisson() {
	fmt.Println(np.DefaultRNG(42).Poisson([]float64{1, 10, 100}, 2, 3))
	// Output:
	// [[  1   6  96]
	//  [  2   7 104]]
}

// Heads of ten coins, five times.
func ExampleRNG_Binomial() {
	fmt.Println(np.DefaultRNG(42).Binomial(10, 0.5, 5))
	// Output: [6 5 7 6 3]
}

func ExampleRNG_NegativeBinomial() {
	fmt.Println(np.DefaultRNG(42).NegativeBinomial(3, 0.5, 5))
	// Output: [5 5 7 4 0]
}

// Throws of a die until the first six.
func ExampleRNG_Geometric() {
	fmt.Println(np.DefaultRNG(42).Geometric(1.0/6, 5))
	// Output: [14 13 14  2  1]
}

// Twenty throws of a die, counted by what it showed.
func ExampleRNG_Multinomial() {
	fmt.Println(np.DefaultRNG(42).Multinomial(20, np.Full(1.0/6, 6), 2))
	// Output:
	// [[5 3 5 3 1 3]
	//  [7 4 3 1 2 3]]
}

func ExampleRNG_Dirichlet() {
	fmt.Println(np.DefaultRNG(42).Dirichlet([]float64{1, 2, 3}, 2).Round(6))
	// Output:
	// [[0.317476 0.086137 0.596387]
	//  [0.245001 0.309859 0.44514 ]]
}

func ExampleRNG_MultivariateNormal() {
	fmt.Println(np.DefaultRNG(42).MultivariateNormal([]float64{0, 10}, [][]float64{{2, 0.5}, {0.5, 1}}, 2).Round(6))
	// Output:
	// [[ 0.430935  9.134918]
	//  [ 1.061298 11.145142]]
}

// Six numbers of a lottery.
func ExampleRNG_Sample() {
	fmt.Println(np.Sort(np.DefaultRNG(42).Sample(np.Arange(1, 50), 6), 0))
	// Output: [ 4 21 31 35 43 48]
}

func ExampleRNG_WeightedChoice() {
	fmt.Println(np.DefaultRNG(42).WeightedChoice([]string{"rain", "sun"}, []float64{0.2, 0.8}, 5))
	// Output: ['sun' 'sun' 'sun' 'sun' 'rain']
}

func ExampleRNG_WeightedSample() {
	fmt.Println(np.DefaultRNG(42).WeightedSample(5, []float64{0.4, 0.3, 0.1, 0.1, 0.1}, 3))
	// Output: [2 1 3]
}
