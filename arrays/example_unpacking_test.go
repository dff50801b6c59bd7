package arrays_test

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

func ExampleSetUnpackTimes() {
	before := np.SetUnpackTimes(2000) // for a file that is trusted
	fmt.Println(before)
	np.SetUnpackTimes(before)
	// Output: 250
}

func ExampleTextWidth() {
	names, columns, err := np.LoadTable("testdata/none.csv", np.TextWidth(100)) // texts of 100 characters at most
	fmt.Println(len(names), len(columns), err != nil)
	// Output: 0 0 true
}
