// Command platforms type-checks a module's packages and their tests for other platforms, and applies go vet's analyzers
// to what is there for a platform alone. It reads everything from source and compiles nothing: go vet would first
// compile all that is imported for each platform, which takes minutes. What it leaves to the compiler and the
// assembler, make cross shows.
//
//	go run ./tests/platforms linux/arm64 windows/amd64
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	tags := flag.String("tags", "", "build tags")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "usage: platforms [-tags TAGS] GOOS/GOARCH...")
		os.Exit(2)
	}
	bad := false
	for _, p := range flag.Args() {
		found, n, err := check(".", p, *tags)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p, err)
			os.Exit(1)
		}
		for _, problem := range found {
			fmt.Fprintln(os.Stderr, problem)
			bad = true
		}
		fmt.Printf("%s: %d packages and tests are type-checked, %d problems\n", p, n, len(found))
	}
	if bad {
		os.Exit(1)
	}
}
