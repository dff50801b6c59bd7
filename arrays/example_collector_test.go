package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// For a program that does little but compute with arrays.
func ExampleTuneCollector() {
	np.TuneCollector()
	fmt.Println(np.Arange(1_000_000).Sum())
	// Output: 499999500000
}
