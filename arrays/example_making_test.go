package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleBlackman() {
	fmt.Println(np.Blackman(7).At(np.S(1, -1)).Round(2)) // between the zeros at its ends
	// Output: [0.13 0.63 1.   0.63 0.13]
}

func ExampleDefaultRNG() {
	rng := np.DefaultRNG(42) // the numbers of numpy.random.default_rng(42)
	fmt.Println(rng.Integers(0, 10, 5), rng.Normal(0, 1, 2).Round(4))
	fmt.Println(np.DefaultRNG(42).Integers(0, 10, 5)) // the same seed, the same numbers
	// Output:
	// [0 7 6 4 4] [ 0.9406 -1.951 ]
	// [0 7 6 4 4]
}

func ExampleDiag() {
	m := np.Diag([]int{1, 2, 3})
	fmt.Println(m)
	fmt.Println(np.Diag(m)) // and back
	// Output:
	// [[1 0 0]
	//  [0 2 0]
	//  [0 0 3]]
	// [1 2 3]
}

func ExampleEye() {
	fmt.Println(np.Eye(2))
	fmt.Println(np.Eye(2, 3, 1)) // 2 x 3, the ones 1 to the right
	// Output:
	// [[1. 0.]
	//  [0. 1.]]
	// [[0. 1. 0.]
	//  [0. 0. 1.]]
}

func ExampleFrom2D() {
	fmt.Println(np.From2D([][]float64{{1, 2, 3}, {4, 5, 6}}).Shape())
	defer func() { fmt.Println(recover()) }()
	np.From2D([][]int{{1, 2}, {3}})
	// Output:
	// [2 3]
	// fromslice: rows differ in length: one has 1 elements, the first has 2
}

// The bytes are not copied: array and slice are the same memory.
func ExampleFromBytes() {
	pixels := []byte{0, 50, 100, 255}
	image := np.FromBytes(np.Uint8, []int{2, 2}, pixels)
	pixels[0] = 7
	fmt.Println(image)
	// Output:
	// [[  7  50]
	//  [100 255]]
}

func ExampleFull() {
	fmt.Println(np.Full(7, 3), np.Full(7.0, 3), np.Full("ash", 2)) // the value decides the dtype
	fmt.Println(np.Full([]int{1, 2, 3}, 2, 3))
	// Output:
	// [7 7 7] [7. 7. 7.] ['ash' 'ash']
	// [[1 2 3]
	//  [1 2 3]]
}

func ExampleFullLike() {
	x := np.FromSlice([]int{1, 2, 3})
	fmt.Println(np.FullLike(x, 9), np.FullLike(x, 2.7)) // of the dtype of x
	// Output: [9 9 9] [2 2 2]
}

func ExampleGeomspace() {
	fmt.Println(np.Geomspace(1, 1000, 4), np.Geomspace(-2, -8, 3))
	// Output: [   1.   10.  100. 1000.] [-2. -4. -8.]
}

func ExampleHamming() {
	fmt.Println(np.Hamming(7).Round(2))
	// Output: [0.08 0.31 0.77 1.   0.77 0.31 0.08]
}

func ExampleHanning() {
	fmt.Println(np.Hanning(5))
	// Output: [0.  0.5 1.  0.5 0. ]
}

func ExampleLinspace() {
	fmt.Println(np.Linspace(0, 1, 5), np.Linspace(3, -3, 3)) // both ends are included
	// Output: [0.   0.25 0.5  0.75 1.  ] [ 3.  0. -3.]
}

func ExampleLogspace() {
	fmt.Println(np.Logspace(0, 3, 4)) // start and stop are powers of 10; Geomspace takes the ends themselves
	// Output: [   1.   10.  100. 1000.]
}
