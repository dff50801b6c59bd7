package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// The numbers are those of numpy.random.default_rng with the same seed.

func ExampleRNG_Random() {
	rng := np.DefaultRNG(42)
	fmt.Println(rng.Random(3).Round(6))
	fmt.Println(rng.Random(2, 2).Round(6)) // goes on in the same stream
	// Output:
	// [0.773956 0.438878 0.858598]
	// [[0.697368 0.094177]
	//  [0.975622 0.76114 ]]
}

func ExampleRNG_Uniform() {
	fmt.Println(np.DefaultRNG(42).Uniform(-1, 1, 4).Round(6))
	// Output: [ 0.547912 -0.122243  0.717196  0.394736]
}

// Throws of a die: the upper end is left out.
func ExampleRNG_Integers() {
	fmt.Println(np.DefaultRNG(42).Integers(1, 7, 10))
	// Output: [1 5 4 3 3 6 1 5 2 1]
}

func ExampleRNG_StandardNormal() {
	fmt.Println(np.DefaultRNG(42).StandardNormal(4).Round(6))
	// Output: [ 0.304717 -1.039984  0.750451  0.940565]
}

func ExampleRNG_Normal() {
	heights := np.DefaultRNG(42).Normal(170, 10, 10000)
	fmt.Println(heights.At(np.To(3)).Round(2), heights.Mean().Round(1), heights.Std().Round(1))
	// Output: [173.05 159.6  177.5 ] 169.9 10.1
}

// Waiting times with a mean of 10 minutes.
func ExampleRNG_Exponential() {
	fmt.Println(np.DefaultRNG(42).Exponential(10, 4).Round(4))
	// Output: [24.0421 23.3619 23.8476  2.7979]
}

// One order for several lists, as to draw rows for training and for testing.
func ExampleRNG_Permutation() {
	order := np.DefaultRNG(42).Permutation(6)
	fmt.Println(order.At(np.To(4)), order.At(np.From(4)))
	// Output: [3 2 5 4] [1 0]
}

// Rows change places, each stays whole.
func ExampleRNG_Shuffle() {
	m := np.Arange(8).Reshape(4, 2)
	np.DefaultRNG(42).Shuffle(m)
	fmt.Println(m)
	// Output:
	// [[6 7]
	//  [4 5]
	//  [2 3]
	//  [0 1]]
}

// Drawn with replacement: a name may come twice.
func ExampleRNG_Choice() {
	rng := np.DefaultRNG(42)
	fmt.Println(rng.Choice([]string{"oak", "ash", "elm"}, 5))
	// Output: ['oak' 'elm' 'ash' 'ash' 'ash']
}
