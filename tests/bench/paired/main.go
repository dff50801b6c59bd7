// Command paired compares a benchmark of this checkout with that of another one, such as a git worktree of an earlier
// commit:
//
//	git worktree add /tmp/base COMMIT
//	go run ./tests/bench/paired -base /tmp/base ./tests/bench/interp -only times
//	go run ./tests/bench/paired -base /tmp/base -run '.build/venv/bin/python tests/bench/kernel.py --times' ./cmd/arrayrepl
//
// How fast a loop of the interpreter is depends on where the linker puts it, which any change of the program moves. So
// both are built several times, each time with the functions in another random order (go tool link -randlayout), and
// run in turns. A row is the ratio of the geometric means over the orders, of the least that each took: above 1, this
// checkout is faster. The benchmark prints rows of a name, a tab and a number, of which less is better; the base is
// built with this checkout's text of it. With -run, the benchmark is another command, which gets the paths of both that
// were built, the base first, and prints two numbers in a row; the base is then built of its own text.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

func main() {
	base := flag.String("base", "", "the other checkout")
	layouts := flag.Int("layouts", 4, "in how many orders of functions both are built")
	rounds := flag.Int("rounds", 3, "how often each is run")
	run := flag.String("run", "", "a command that is run with what is built, and not that itself")
	flag.Parse()
	if *base == "" || flag.NArg() == 0 || *layouts < 1 || *rounds < 1 {
		fmt.Fprintln(os.Stderr, "usage: paired -base DIR [-layouts N] [-rounds N] PACKAGE [ARGUMENT ...]")
		os.Exit(2)
	}
	if err := compare(*base, *layouts, *rounds, strings.Fields(*run), flag.Arg(0), flag.Args()[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "paired:", err)
		os.Exit(1)
	}
}

// compare builds package pkg of both checkouts and runs it, or the benchmark if there is one, with args, and writes the
// table.
func compare(base string, layouts, rounds int, benchmark []string, pkg string, args []string, out io.Writer) error {
	dir, err := os.MkdirTemp("", "paired")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	overlay := filepath.Join(dir, "overlay.json")
	if err := writeOverlay(overlay, base, pkg); err != nil {
		return err
	}
	var sides [2]side
	for layout := range layouts {
		for i, from := range []string{base, "."} {
			bin := filepath.Join(dir, fmt.Sprintf("%d-%d", i, layout))
			build := exec.Command("go", "build", fmt.Sprintf("-ldflags=-randlayout=%d", layout), "-o", bin)
			if i == 0 && len(benchmark) == 0 {
				build.Args = append(build.Args, "-overlay", overlay)
			}
			build.Args = append(build.Args, pkg)
			build.Dir, build.Stderr = from, os.Stderr
			if err := build.Run(); err != nil {
				return fmt.Errorf("building %s in %s: %w", pkg, from, err)
			}
		}
		built := []string{filepath.Join(dir, fmt.Sprintf("0-%d", layout)), filepath.Join(dir, fmt.Sprintf("1-%d", layout))}
		for range rounds {
			if len(benchmark) > 0 {
				if err := take(slices.Concat(benchmark, built, args), layout, &sides[0], &sides[1]); err != nil {
					return err
				}
				continue
			}
			for i := range sides {
				if err := take(append([]string{built[i]}, args...), layout, &sides[i]); err != nil {
					return err
				}
			}
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "what\tbase\there\tspeed, here to base")
	for _, name := range sides[1].names {
		b, h := sides[0].mean(name), sides[1].mean(name)
		fmt.Fprintf(w, "%s\t%.3g\t%.3g\t%.2f\n", name, b, h, b/h)
	}
	return w.Flush()
}

// recorder is what benchmarks keep their pages with; a base may have none.
const recorder = "tests/bench/record"

// writeOverlay lets the base be built with the files of pkg, and of recorder, that this checkout has.
func writeOverlay(file, base, pkg string) error {
	files := map[string]string{}
	for _, pkg := range []string{pkg, recorder} {
		for _, from := range []string{base, "."} {
			found, err := filepath.Glob(filepath.Join(from, pkg, "*.go"))
			if err != nil {
				return err
			}
			for _, name := range found {
				ours, err := filepath.Abs(name)
				if err != nil {
					return err
				}
				theirs, err := filepath.Abs(filepath.Join(base, pkg, filepath.Base(name)))
				if err != nil {
					return err
				}
				if from == base {
					ours = "" // an empty path hides the file
				}
				files[theirs] = ours
			}
		}
	}
	text, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}

// side is what one checkout took: the least for each row and layout.
type side struct {
	names []string // the rows in the order in which they were printed
	least map[string]map[int]float64
}

// take runs a program whose rows have a number for each of the sides.
func take(command []string, layout int, sides ...*side) error {
	bin := command[0]
	cmd := exec.Command(bin, command[1:]...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", bin, err)
	}
	for line := range bytes.Lines(text) {
		fields := strings.Split(strings.TrimSpace(string(line)), "\t")
		if len(fields) != 1+len(sides) {
			return fmt.Errorf("%s printed %q; wanted a name and %d numbers, with tabs between them", bin, line, len(sides))
		}
		for i, s := range sides {
			v, err := strconv.ParseFloat(fields[1+i], 64)
			if err != nil || v <= 0 {
				return fmt.Errorf("%s printed %q; wanted numbers above zero after the name", bin, line)
			}
			s.took(fields[0], layout, v)
		}
	}
	return nil
}

// took keeps v for a row if it is the least.
func (s *side) took(name string, layout int, v float64) {
	if s.least == nil {
		s.least = map[string]map[int]float64{}
	}
	row := s.least[name]
	if row == nil {
		row = map[int]float64{}
		s.least[name] = row
		s.names = append(s.names, name)
	}
	if was, ok := row[layout]; !ok || v < was {
		row[layout] = v
	}
}

// mean is the geometric mean of a row over the layouts; NaN where there is none.
func (s *side) mean(name string) float64 {
	sum := 0.0
	for _, v := range s.least[name] {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(s.least[name])))
}
