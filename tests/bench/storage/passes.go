package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// passes is what the cache costs where all is read once, and what it saves where it is read again: a kernel reads a
// file of 16 MB so many times by lines, with a cache of all of it and of a sixteenth, or it is streamed.
func (b *bench) passes() error {
	const elements = 1 << 21
	path := filepath.Join(b.dir, "again.npy")
	if err := np.Save(path, np.Arange(elements).AsType(np.Float64)); err != nil {
		return err
	}
	f, err := scaled(0)
	if err != nil {
		return err
	}
	fmt.Printf("\n## A file read again and again\n\nA file of %d MB, by a kernel; least of three.\n\n", elements*8>>20)
	fmt.Printf("| passes | with a cache of all of it | with one of 1/16 | streamed | lines read with all |\n|---|---|---|---|---|\n")
	for _, passes := range []int{1, 2, 4, 8} {
		var least [3]time.Duration
		lines := int64(0)
		for way := range least {
			least[way] = 1 << 62
			for range 3 {
				x, err := np.Open(path, np.Backing("uring"), np.CacheBytes([]int64{32 << 20, 1 << 20, 1 << 20}[way]))
				if err != nil {
					return err
				}
				out := np.Zeros(elements)
				np.Eval(out)
				began := time.Now()
				for range passes {
					if way == 2 {
						out = x.Add(1)
					} else {
						np.Wiring{}.Launch(kernelcall.Call[np.Array]{
							Name: f.Name, Func: f, Grid: kir.D1(elements / 256), Block: kir.D1(256),
							Args: []kernelcall.Arg[np.Array]{{Array: x}, {Array: out, Writes: true}},
						})
					}
					np.Eval(out)
				}
				least[way] = min(least[way], time.Since(began))
				if way == 0 {
					s, err := x.Storage()
					if err != nil {
						return err
					}
					lines = s.Cache.ReadIOs
				}
				x.Close()
			}
		}
		fmt.Printf("| %d | %v | %v | %v | %d |\n", passes, least[0].Round(time.Millisecond), least[1].Round(time.Millisecond), least[2].Round(time.Millisecond), lines)
	}
	return nil
}
