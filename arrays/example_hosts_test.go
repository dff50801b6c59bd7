package arrays_test

import (
	"context"
	"fmt"
	"slices"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleRules_NamesOne() {
	x := np.Arange(6).Reshape(2, 3)
	fmt.Println(np.Rules{}.NamesOne([]any{1, 2}), np.Rules{}.NamesOne([]any{1, 2, np.Dots}))
	element, view := x.At(1, 2), x.At(1, 2, np.Dots)
	x.Set(99, 1, 2)
	fmt.Println(element, view) // one by value, the other sees what is set
	// Output:
	// true false
	// 5 99
}

func ExampleWiring_OnAllocate() {
	np.Wiring{}.OnAllocate(func(bytes int) error {
		if bytes > 10<<20 {
			return fmt.Errorf("%d MB are more than this program gives", bytes>>20)
		}
		return nil
	})
	defer np.Wiring{}.OnAllocate(func(int) error { return nil }) // all again
	defer func() { fmt.Println(recover()) }()
	np.Zeros(2048, 2048)
	// Output: 32 MB are more than this program gives
}

func ExampleWiring_OnPoll() {
	ctx, cancel := context.WithCancel(context.Background())
	np.Wiring{}.OnPoll(func() {
		if err := ctx.Err(); err != nil {
			panic(err)
		}
	})
	defer np.Wiring{}.OnPoll(nil)
	defer func() { fmt.Println(recover()) }()
	cancel() // as somebody else would while it works
	np.MatMul(np.Ones(300, 300), np.Ones(300, 300))
	// Output: context canceled
}

func ExampleWiring_Poll() {
	polls := 0
	np.Wiring{}.OnPoll(func() { polls++ })
	defer np.Wiring{}.OnPoll(nil)
	sum := 0.0
	for part := range slices.Chunk(np.Data[float64](np.Arange(0.0, 10)), 4) { // in earnest thousands at a time
		np.Wiring{}.Poll()
		for _, v := range part {
			sum += v * v
		}
	}
	fmt.Println(sum, polls)
	// Output: 285 3
}

func ExampleWiring_Operate() {
	half := func(x any) any { return np.Wiring{}.Operate("/", x, 2) }
	fmt.Println(half(7), half(7.0), half(np.FromSlice([]int{7}))) // Go's division of ints, and that of arrays
	// Output: 3 3.5 [3.5]
}

func ExampleReduction_Resolve() {
	spec, err := np.ReduceMean.Resolve(np.Uint8, []int{480, 640, 3}, np.Axis(0, 1))
	fmt.Println(spec.Out, spec.OutShape, spec.Axes, err)
	_, err = np.ReduceMax.Resolve(np.Float64, []int{0, 3}, np.Axis(0))
	fmt.Println(err)
	// Output:
	// float64 [3] [0 1] <nil>
	// max: shape (0,3) has no elements to choose from along the reduced axes; check Size before
}

// An interrupt of gonum's routine for eigenvalues waits for its end; a program can say so.
func ExampleWiring_Underway() {
	fmt.Printf("%q\n", np.Wiring{}.Underway())
	// Output: ""
}
