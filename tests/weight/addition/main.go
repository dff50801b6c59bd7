// Command addition adds two arrays.
package main

import (
	"fmt"

	"github.com/arrayrepl/arrayrepl/arrays"
)

func main() {
	a, b := arrays.FromSlice([]float64{1, 2, 3}), arrays.FromSlice([]float64{4, 5, 6})
	fmt.Println(a.Add(b))
}
