// Command simulated computes on a simulated GPU.
package main

import (
	"fmt"

	np "github.com/arrayrepl/arrayrepl/lazy"
	_ "github.com/arrayrepl/arrayrepl/simgpu"
)

func main() {
	np.Use("sim:v100")
	fmt.Println(np.Arange(1000).Mul(2).Add(1).Sum())
}
