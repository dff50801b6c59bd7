package arrays_test

import (
	"fmt"
	"strings"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleZeros() {
	fmt.Println(np.Zeros(2, 3))
	fmt.Println(np.Zeros(), np.Zeros(0, 3).Size()) // without a size one element, with a size of 0 none
	// Output:
	// [[0. 0. 0.]
	//  [0. 0. 0.]]
	// 0.0 0
}

func ExampleZerosLike() {
	counts := np.ZerosLike([]int{7, 8, 9}) // ints, as they are
	counts.Set(2.7, 0)
	fmt.Println(counts, counts.DType())
	// Output: [2 0 0] int64
}

func ExampleOnes() {
	weights := np.Ones(2, 3)
	fmt.Println(weights.Div(weights.Size()).Round(4))
	// Output:
	// [[0.1667 0.1667 0.1667]
	//  [0.1667 0.1667 0.1667]]
}

func ExampleOnesLike() {
	pixels := np.FromSlice([][]uint8{{3, 4}, {5, 6}})
	fmt.Println(np.OnesLike(pixels), np.OnesLike(pixels).DType())
	// Output:
	// [[1 1]
	//  [1 1]] uint8
}

func ExampleNew() {
	image := np.New(np.Uint8, 2, 4)
	image.Set(255, np.All, np.From(2))
	fmt.Println(image, image.NBytes())
	// Output:
	// [[  0   0 255 255]
	//  [  0   0 255 255]] 8
}

func ExampleScalar() {
	// A Go number takes the dtype of the array beside it; a 0-d array has one of its own.
	x := np.Ones(3).AsType(np.Float32)
	fmt.Println(x.Mul(0.5).DType(), x.Mul(np.Scalar(0.5)).DType())
	// Output: float32 float64
}

func ExampleMust() {
	// Must is for programs that cannot go on without the array.
	table := np.Must(np.ReadCSV(strings.NewReader("1,2\n3,4\n")))
	fmt.Println(table.Sum(np.Axis(0)))
	// Output: [4. 6.]
}

func ExampleMeshgrid() {
	grid := np.Meshgrid(np.Arange(3), np.Arange(2))
	x, y := grid[0], grid[1] // the first list goes down the rows
	fmt.Println(x.Mul(10).Add(y))
	// Output:
	// [[ 0  1]
	//  [10 11]
	//  [20 21]]
}

func ExampleVander() {
	fmt.Println(np.Vander([]int{1, 2, 3})) // floats, where NumPy keeps ints
	// The columns of a straight line: its slope and its height at 0.
	a := np.Vander([]float64{0, 1, 2}, 2)
	fmt.Println(np.MatMul(a, []float64{10, 3}))
	// Output:
	// [[1. 1. 1.]
	//  [4. 2. 1.]
	//  [9. 3. 1.]]
	// [ 3. 13. 23.]
}

func ExampleTo() {
	x := np.Arange(6)
	fmt.Println(x.At(np.To(2)), x.At(np.To(-1)), x.At(np.To(100)))
	// Output: [0 1] [0 1 2 3 4] [0 1 2 3 4 5]
}

func ExampleTimeDelta() {
	start := np.FromSlice([]string{"2024-02-28"}).AsType(np.DateTime(np.Day))
	hours := np.FromSlice([]int{12, 36}).AsType(np.TimeDelta(np.Hour))
	fmt.Println(start.Add(hours))
	fmt.Println(hours.AsType(np.TimeDelta(np.Day)), hours.DType()) // whole days
	// Output:
	// ['2024-02-28T12' '2024-02-29T12']
	// [0 1] timedelta64[h]
}
