package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleReshape() {
	x := np.Arange(6)
	m := np.Reshape(x, 2, -1) // -1 is what is left
	m.Set(99, 0, 0)
	fmt.Println(m, x.At(0)) // a view: x sees it
	// Output:
	// [[99  1  2]
	//  [ 3  4  5]] 99
}

func ExampleRepeat() {
	m := [][]int{{1, 2}, {3, 4}}
	fmt.Println(np.Repeat(m, 2))
	fmt.Println(np.Repeat(m, 2, 1))
	// Output:
	// [1 1 2 2 3 3 4 4]
	// [[1 1 2 2]
	//  [3 3 4 4]]
}

func ExampleTile() {
	fmt.Println(np.Tile([]int{1, 2}, 3)) // Repeat gives 1 1 1 2 2 2
	fmt.Println(np.Tile([]int{1, 2}, 2, 2))
	// Output:
	// [1 2 1 2 1 2]
	// [[1 2 1 2]
	//  [1 2 1 2]]
}

func ExampleRoll() {
	m := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Roll(m, 1, 1)) // each row
	fmt.Println(np.Roll(m, 1))    // all elements
	// Output:
	// [[2 0 1]
	//  [5 3 4]]
	// [[5 0 1]
	//  [2 3 4]]
}

func ExampleRot90() {
	m := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Rot90(m))
	fmt.Println(np.Rot90(m, -1)) // clockwise
	// Output:
	// [[2 5]
	//  [1 4]
	//  [0 3]]
	// [[3 0]
	//  [4 1]
	//  [5 2]]
}

func ExamplePad() {
	fmt.Println(np.Pad([]int{1, 2, 3}, []int{2}, []int{1}, 0))
	fmt.Println(np.Pad([]int{1, 2, 3}, []int{2}, []int{2}, np.PadReflect))
	fmt.Println(np.Pad(np.Ones(1, 2), []int{1, 0}, []int{0, 3}, 7)) // a row above, three columns behind
	// Output:
	// [0 0 1 2 3 0]
	// [3 2 1 2 3 2 1]
	// [[7. 7. 7. 7. 7.]
	//  [1. 1. 7. 7. 7.]]
}

func ExampleSplit() {
	parts := np.Split(np.Arange(10), []int{3, 5}) // before 3 and before 5
	fmt.Println(parts[0], parts[1], parts[2])
	columns := np.Split(np.Arange(8).Reshape(2, 4), []int{1}, 1)
	fmt.Println(columns[0].Shape(), columns[1].Shape())
	// Output:
	// [0 1 2] [3 4] [5 6 7 8 9]
	// [2 1] [2 3]
}

func ExampleStack() {
	x, y := []int{1, 2, 3}, []int{10, 20, 30}
	fmt.Println(np.Stack(0, x, y))
	fmt.Println(np.Stack(1, x, y)) // pairs
	// Output:
	// [[ 1  2  3]
	//  [10 20 30]]
	// [[ 1 10]
	//  [ 2 20]
	//  [ 3 30]]
}

func ExampleVStack() {
	m := np.VStack([]int{1, 2}, [][]int{{3, 4}, {5, 6}}) // a list is one row
	fmt.Println(m)
	// Output:
	// [[1 2]
	//  [3 4]
	//  [5 6]]
}

func ExampleUnstack() {
	points := np.FromSlice([][]float64{{0, 1}, {3, 4}, {6, 8}})
	columns := np.Unstack(points, 1)
	x, y := columns[0], columns[1]
	fmt.Println(x, y)
	// Output: [0. 3. 6.] [1. 4. 8.]
}

func ExampleTril() {
	m := np.Arange(1, 10).Reshape(3, 3)
	fmt.Println(np.Tril(m))
	fmt.Println(np.Tril(m, -1)) // without the diagonal
	// Output:
	// [[1 0 0]
	//  [4 5 0]
	//  [7 8 9]]
	// [[0 0 0]
	//  [4 0 0]
	//  [7 8 0]]
}

func ExampleTriu() {
	m := np.Arange(1, 10).Reshape(3, 3)
	fmt.Println(np.Triu(m))
	fmt.Println(np.ArrayEqual(np.Triu(m, 1).Add(np.Tril(m)), m))
	// Output:
	// [[1 2 3]
	//  [0 5 6]
	//  [0 0 9]]
	// true
}

func ExamplePadValues() {
	fmt.Println(np.Pad([]int{1, 2, 3}, []int{2}, []int{1}, np.PadValues(-1, 9)))
	// Output: [-1 -1  1  2  3  9]
}

func ExamplePadRamp() {
	fmt.Println(np.Pad([]float64{4, 3}, []int{2}, []int{3}, np.PadRamp(0, 6)))
	// Output: [0. 2. 4. 3. 4. 5. 6.]
}

func ExamplePadWithin() {
	// of two elements at each end
	fmt.Println(np.Pad([]int{1, 5, 2, 9}, []int{1}, []int{1}, np.PadWithin(np.PadMaximum, 2)))
	// Output: [5 1 5 2 9 9]
}

func ExamplePadOdd() {
	fmt.Println(np.Pad([]int{1, 2, 4}, []int{2}, []int{2}, np.PadOdd(np.PadReflect)))
	// Output: [-2  0  1  2  4  6  7]
}
