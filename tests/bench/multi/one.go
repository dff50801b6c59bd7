package main

import (
	"fmt"
	"os"
	"os/exec"
)

// one prints what programs on one device take beside an earlier commit, by tests/bench/paired: a speed of 0.98 is 1.02
// times as slow, which is the most.
func one(base string) error {
	if base == "" {
		fmt.Println("skipped: -base names no checkout of an earlier commit, such as one from before there were several devices")
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	compare := exec.Command("go", "run", "./tests/bench/paired", "-base", base, "-rounds", "5", "-run", self+" -pair", "./tests/bench/oa")
	compare.Stdout, compare.Stderr = os.Stdout, os.Stderr
	return compare.Run()
}

// pair runs two builds of tests/bench/oa and prints the processor time of both in rows: graphs and plans of small
// arrays, and workloads, eager, on the processors and on a simulated GPU. Names in oa are parts of workloads' names.
func pair(builds []string) error {
	if len(builds) != 2 {
		return fmt.Errorf("-pair wants two programs, and has %d", len(builds))
	}
	for _, what := range []string{"planning", "black-scholes", "haversine", "crime", "k-means"} {
		fmt.Print(what)
		for _, build := range builds {
			c := exec.Command(build, what)
			c.Stderr = os.Stderr
			if err := c.Run(); err != nil {
				return fmt.Errorf("%s %s: %w", build, what, err)
			}
			used := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
			fmt.Printf("\t%.4f", used.Seconds())
		}
		fmt.Println()
	}
	return nil
}
