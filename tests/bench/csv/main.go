// Command csv times how tables are read and written, for [tests/bench/paired]: it prints a row for each kind of table,
// its name, a tab and the least nanoseconds of several turns.
//
//	go run ./tests/bench/paired -base DIR -layouts 2 ./tests/bench/csv
package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
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
		read, err := least(func() (err error) { names, columns, err = np.LoadTable(path, c.opts...); return err })
		if err != nil {
			return err
		}
		written, err := least(func() error { return np.SaveTable(path, names, columns) })
		if err != nil {
			return err
		}
		fmt.Printf("read %s\t%d\nwrite %s\t%d\n", c.name, read.Nanoseconds(), c.name, written.Nanoseconds())
		records := strings.TrimSuffix(path, ".csv") + ".json"
		if err := np.SaveTable(records, names, columns); err != nil {
			return err
		}
		if read, err = least(func() error { _, _, err := np.LoadTable(records); return err }); err != nil {
			return err
		}
		fmt.Printf("read %s as records\t%d\n", c.name, read.Nanoseconds())
	}
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
