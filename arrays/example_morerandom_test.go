package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleRNG_StandardGamma() {
	fmt.Println(np.DefaultRNG(42).StandardGamma(2, 3).Round(6))
	// Output: [2.091817 2.835346 1.837216]
}

func ExampleRNG_StandardExponential() {
	fmt.Println(np.DefaultRNG(42).StandardExponential(3).Round(6))
	// Output: [2.404209 2.33619  2.384761]
}

func ExampleRNG_F() {
	fmt.Println(np.DefaultRNG(42).F(3, 7, 3).Round(6))
	// Output: [0.758664 0.974635 1.702706]
}

func ExampleRNG_NoncentralF() {
	fmt.Println(np.DefaultRNG(42).NoncentralF(3, 7, 1.5, 3).Round(6))
	// Output: [1.202404 0.061384 0.069193]
}

func ExampleRNG_NoncentralChiSquare() {
	fmt.Println(np.DefaultRNG(42).NoncentralChiSquare(3, 2, 3).Round(6))
	// Output: [ 4.948465 10.314503  0.185426]
}

func ExampleRNG_Wald() {
	fmt.Println(np.DefaultRNG(42).Wald(1, 2, 3).Round(6))
	// Output: [0.806499 1.689804 3.627605]
}

func ExampleRNG_VonMises() {
	fmt.Println(np.DefaultRNG(42).VonMises(0, 4, 3).Round(6))
	// Output: [-0.101715 -0.185564  1.116787]
}

func ExampleRNG_LogSeries() {
	fmt.Println(np.DefaultRNG(42).LogSeries(0.9, 5))
	// Output: [ 1  1 22  2  5]
}

func ExampleRNG_Zipf() {
	fmt.Println(np.DefaultRNG(42).Zipf(2, 5))
	// Output: [4 1 1 1 1]
}

// Four things out of 20 good and 10 bad ones.
func ExampleRNG_Hypergeometric() {
	fmt.Println(np.DefaultRNG(42).Hypergeometric(20, 10, 4, 5))
	// Output: [4 4 3 4 3]
}

// Each row in an order of its own.
func ExampleRNG_Permuted() {
	fmt.Println(np.DefaultRNG(42).Permuted(np.Arange(8).Reshape(2, 4), 1))
	// Output:
	// [[3 2 1 0]
	//  [7 6 4 5]]
}

// A generator for each goroutine.
func ExampleRNG_Spawn() {
	for _, r := range np.DefaultRNG(42).Spawn(2) {
		fmt.Println(r.Integers(0, 100, 4))
	}
	// Output:
	// [49 91 58 91]
	// [ 7 46 18  4]
}

func ExampleRNG_Bytes() {
	fmt.Printf("%x\n", np.DefaultRNG(42).Bytes(4))
	// Output: 8826d916
}
