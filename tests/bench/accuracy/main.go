// Command accuracy compares the times that simulated GPUs give kernels with times that were published for such kernels
// on such machines, and writes the table that docs/model-accuracy.md is:
//
//	go run ./tests/bench/accuracy [-only REGEXP] [-rows REGEXP] [-whole] [-figures FILE] [-o docs/model-accuracy.md]
//
// The kernels are CUDA C of this program's own, written from what the sources say of theirs, and compiled by NVRTC,
// whose library must be here. No row is left out because it fails. It takes some minutes: a kernel is computed whole,
// whatever is timed of it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/arrayrepl/arrayrepl/tests/bench/record"
)

func main() {
	only := flag.String("only", "", "only the experiments whose number or title this expression matches")
	file := flag.String("o", "", "write the page to this file; it must be of all experiments")
	rows := flag.String("rows", "", "only the rows whose name this expression matches: no assertion is judged then")
	kept := flag.String("figures", "", "keep the figures of experiments in this file, and take those that it has: a run may end and go on")
	flag.BoolVar(&whole, "whole", false, "time launches whole that are sampled else: some take many minutes")
	flag.BoolVar(&verbose, "v", false, "tell of each launch")
	flag.Parse()
	if err := run(*only, *rows, *kept, *file); err != nil {
		fmt.Fprintln(os.Stderr, "accuracy:", err)
		os.Exit(1)
	}
}

// experiments returns all, in the order of the page.
func experiments() []*experiment {
	return slices.Concat(reductions(), transposes(), coalescing(), products(), occupancy(), latencies(), onChip(), atomics(), stencils(), launches())
}

func run(only, rows, kept, file string) error {
	match, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	row, err := regexp.Compile(rows)
	if err != nil {
		return err
	}
	if only+rows != "" && file != "" {
		return fmt.Errorf("a page is written of all experiments: leave -only and -rows out")
	}
	began, load := time.Now(), record.Load()
	all := experiments()
	figures := map[string][]float64{} // by experiment
	if raw, err := os.ReadFile(kept); err == nil {
		if err := json.Unmarshal(raw, &figures); err != nil {
			return fmt.Errorf("%s: %w", kept, err)
		}
	}
	for _, e := range all {
		if e.got = figures[e.id]; len(e.got) == len(e.variants) {
			continue
		}
		if !match.MatchString(e.id) && !match.MatchString(e.title) {
			continue
		}
		if rows != "" {
			e.variants = slices.DeleteFunc(e.variants, func(v variant) bool { return !row.MatchString(v.name) })
			e.checks = nil
		}
		start := time.Now()
		if err := e.run(); err != nil {
			return fmt.Errorf("%s, %s: %w", e.id, e.title, err)
		}
		fmt.Fprintf(os.Stderr, "%s\n%s(%.1f s)\n\n", e.heading(), e.table(), time.Since(start).Seconds())
		if kept != "" && rows == "" {
			figures[e.id] = e.got
			raw, err := json.Marshal(figures)
			if err != nil {
				return err
			}
			if err := os.WriteFile(kept, raw, 0o644); err != nil {
				return err
			}
		}
	}
	if file == "" {
		return nil
	}
	text, err := page(all)
	if err != nil {
		return err
	}
	return record.Write(file, record.Program(), record.Header(record.Command(), began, load)+"\n\n"+text)
}
