package main

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	np "github.com/arrayrepl/arrayrepl/lazy"
	disk "github.com/arrayrepl/arrayrepl/offload/storage"
)

// sparse is how many elements are gathered where few pages of the file are touched, and it matters how they are read.
const sparse = 1 << 16

// rawReads is how many of the places raw reads go to; all of them take so many times as long.
const rawReads = 1 << 17

// gathers reads elements at random places: at two densities.
func (b *bench) gathers() error {
	for _, m := range []int{b.picked, sparse} {
		if err := b.gather(m); err != nil {
			return err
		}
	}
	return nil
}

// gather reads m of them. Any way reads the pages at least that have one: the page says how fast they come.
func (b *bench) gather(m int) error {
	idx := make([]int64, m)
	r := rand.New(rand.NewPCG(1, 33))
	for i := range idx {
		idx[i] = r.Int64N(int64(b.n))
	}
	places := np.FromSlice(idx, m)
	pages := map[int64]bool{}
	for _, k := range idx {
		pages[(128+8*k)>>12] = true
	}
	taken, err := b.least(func() error {
		x, err := np.Open(b.path, np.Backing(b.backing), np.Access("lines"), np.CacheBytes(int64(b.n)/2))
		if err != nil {
			return err
		}
		defer x.Close()
		np.Eval(np.Take(x, places))
		return nil
	})
	if err != nil {
		return err
	}
	best, reads := time.Duration(1<<62), min(m, rawReads)
	for _, depth := range []int{16, 64} {
		raw, err := b.least(func() error {
			f, err := disk.Open(b.path, disk.Options{Backing: b.backing})
			if err != nil {
				return err
			}
			defer f.Close()
			var wg sync.WaitGroup
			errs := make([]error, depth)
			for k := range depth {
				wg.Go(func() {
					block := make([]byte, 4096)
					for i := k; i < reads && errs[k] == nil; i += depth {
						at := 128 + idx[i]*8/4096*4096
						_, errs[k] = f.ReadAt(block[:min(4096, f.Size()-at)], at)
					}
				})
			}
			wg.Wait()
			for _, err := range errs {
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		best = min(best, time.Duration(float64(raw)*float64(m)/float64(reads)))
	}
	mapped, err := b.numpy(fmt.Sprintf("y=x[np.random.default_rng(1).integers(0,len(x),%d)]", m))
	if err != nil {
		return err
	}
	chosen, err := b.least(func() error {
		x, err := np.Open(b.path, np.Backing(b.backing))
		if err != nil {
			return err
		}
		defer x.Close()
		np.Eval(np.Take(x, places))
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Printf("\n## %d elements at random places, by %s\n\n| | took | other | times as fast | bar | |\n|---|---|---|---|---|---|\n", m, b.backing)
	row(fmt.Sprintf("Take of %d by lines, cache 1/16, beside raw random reads at the better depth", m), taken, best, 0.8)
	row("the same beside numpy.memmap[idx]", taken, mapped, 2.5)
	row("Take as it chooses beside numpy.memmap[idx]", chosen, mapped, 2.5)
	fastest := best
	for _, t := range b.inOrder { // what was measured
		fastest = min(fastest, t)
	}
	row("Take as it chooses beside the fastest raw reads, in order or at random", chosen, fastest, 0.9)
	rate := func(bytes float64, took time.Duration) float64 { return bytes / took.Seconds() / 1e9 }
	touched := float64(len(pages)) * 4096
	fmt.Printf("\nThey are in %d pages of 4 KiB, %.1f %% of the file. By lines these come at %.2f GB/s, by numpy.memmap at %.2f",
		len(pages), 100*touched/float64(8*b.n), rate(touched, taken), rate(touched, mapped))
	fmt.Printf(".\nThe fastest raw reads, in order or at random, are %.2f times as fast as numpy.memmap[idx]: a bar above that is above this disk.\n", mapped.Seconds()/fastest.Seconds())
	return nil
}
