// Command csv times how tables are read and written, for [tests/bench/paired]: it prints a row for each kind of table,
// its name, a tab and the least nanoseconds of several turns. Arguments are parts of the names of the rows that are
// wanted; a base whose tables are CSV alone is compared but for "as records", which is JSON here.
//
//	go run ./tests/bench/paired -base DIR -layouts 2 ./tests/bench/csv [NAME ...]
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// turns is how often each table is read; the least counts, as others may use the machine.
const turns = 15

func main() {
	dir, err := os.MkdirTemp("", "csv")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := times(dir); err != nil {
		log.Fatal(err)
	}
}

// table is lines of cells that f makes.
func table(header string, rows int, f func(r *rand.Rand) string) string {
	r := rand.New(rand.NewPCG(1, 2))
	var text strings.Builder
	text.WriteString(header + "\n")
	for range rows {
		text.WriteString(f(r) + "\n")
	}
	return text.String()
}

func times(dir string) error {
	words := strings.Fields("oak ash elm Ulm Kiel Bonn birch")
	for _, c := range []struct {
		name, file, text string
		opts             []np.CSVOption
	}{
		{"floats", "a.csv", table("a,b,c,d", 60_000, func(r *rand.Rand) string {
			return fmt.Sprintf("%.6f,%.6f,%.6f,%.6f", r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64())
		}), nil},
		{"whole numbers", "b.csv", table("a,b,c", 100_000, func(r *rand.Rand) string { return fmt.Sprintf("%d,%d,%d", r.IntN(10), r.IntN(1000), r.Int64()) }), nil},
		{"missing ones", "c.csv", table("a,b,c", 60_000, func(r *rand.Rand) string {
			return fmt.Sprintf("%d,%s,%.3f", r.IntN(100), []string{"", "NA", "1.5"}[r.IntN(3)], r.Float64())
		}), nil},
		{"words", "d.csv", table("a,b", 60_000, func(r *rand.Rand) string { return words[r.IntN(7)] + "," + words[r.IntN(7)] }), nil},
		{"quotes", "e.csv", table("a,b", 40_000, func(r *rand.Rand) string { return `"` + words[r.IntN(7)] + `, x",` + words[r.IntN(7)] }), nil},
		{"mixed", "f.csv", table("day,city,n,ok", 40_000, func(r *rand.Rand) string {
			return fmt.Sprintf("2024-%02d-%02d,%s,%d,%v", 1+r.IntN(12), 1+r.IntN(28), words[r.IntN(7)], r.IntN(1000), r.IntN(2) == 0)
		}), nil},
		{"a word of Missing", "g.csv", table("a,b", 40_000, func(r *rand.Rand) string { return fmt.Sprintf("%s,%d", []string{"?", "2.5"}[r.IntN(2)], r.IntN(1000)) }), []np.CSVOption{np.Missing("?")}},
		{"spaces", "h.csv", table("a b c", 40_000, func(r *rand.Rand) string {
			return fmt.Sprintf("%d   %.3f  %s", r.IntN(1000), r.Float64(), words[r.IntN(7)])
		}), []np.CSVOption{np.Delimiter(' ')}},
	} {
		path := filepath.Join(dir, c.file)
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			return err
		}
		var names []string
		var columns []*np.Array
		records := strings.TrimSuffix(path, ".csv") + ".json"
		for _, row := range []struct {
			name         string
			prepare, run func() error
		}{
			{"read " + c.name, nil, func() (err error) { names, columns, err = np.LoadTable(path, c.opts...); return err }},
			{
				"write " + c.name, func() (err error) { names, columns, err = np.LoadTable(path, c.opts...); return err },
				func() error { return np.SaveTable(path, names, columns) },
			},
			{
				"read " + c.name + " as records", func() (err error) {
					if names, columns, err = np.LoadTable(path, c.opts...); err != nil {
						return err
					}
					return np.SaveTable(records, names, columns)
				},
				func() error { _, _, err := np.LoadTable(records); return err },
			},
		} {
			if err := printed(row.name, row.prepare, row.run); err != nil {
				return err
			}
		}
	}
	return nil
}

// printed times a row if its name is asked for.
func printed(name string, prepare, run func() error) error {
	asked := func(part string) bool { return strings.Contains(name, part) }
	if len(os.Args) > 1 && !slices.ContainsFunc(os.Args[1:], asked) {
		return nil
	}
	if prepare != nil {
		if err := prepare(); err != nil {
			return err
		}
	}
	time, err := least(run)
	if err != nil {
		return err
	}
	fmt.Printf("%s\t%d\n", name, time.Nanoseconds())
	return nil
}

// least is the least time that f takes.
func least(f func() error) (time.Duration, error) {
	best := time.Hour
	for range turns {
		begun := time.Now()
		if err := f(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(begun))
	}
	return best, nil
}
