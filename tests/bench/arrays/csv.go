package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"path/filepath"

	np "github.com/arrayrepl/arrayrepl/arrays"
)

// csvRows read a file of n bytes, ten columns of random numbers with all their digits, beside pandas' C parser.
var csvRows = []row{
	{"read csv, one matrix", []int{100_000_000}, func(n int) func() {
		path := csvFile(n)
		return func() { np.Must(np.LoadCSV(path)) }
	}},
	{"read csv, columns", []int{100_000_000}, func(n int) func() {
		path := csvFile(n)
		return func() {
			if _, _, err := np.LoadTable(path); err != nil {
				log.Fatal(err)
			}
		}
	}},
}

// csvFile writes a file of about n bytes, where the peer looks for it.
func csvFile(n int) string {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("arrayrepl-bench-%d.csv", n))
	if info, err := os.Stat(path); err == nil && info.Size() >= int64(n) {
		return path
	}
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	fmt.Fprintln(w, "a,b,c,d,e,f,g,h,i,j")
	values := np.DefaultRNG(1).Random(n/180, 10)
	for _, row := range values.Rows() {
		for i, v := range row.Float64s() {
			if i > 0 {
				w.WriteByte(',')
			}
			fmt.Fprint(w, v)
		}
		w.WriteByte('\n')
	}
	if err := w.Flush(); err != nil {
		log.Fatal(err)
	}
	if err := f.Close(); err != nil {
		log.Fatal(err)
	}
	return path
}
