// Command kernels makes kernels at random and runs each on everything that runs kernels: the reference interpreter, the
// CPU engine with and without the optimiser, and simulated GPUs under every divergence policy. It ends at the first
// difference, which it makes small and prints, or when its time is over or it is interrupted.
//
//	go run ./tests/fuzz/kernels -for 1h
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/arrayrepl/arrayrepl/kir/random"
)

func main() {
	how := flag.Duration("for", time.Minute, "how long")
	first := flag.Uint64("seed", uint64(time.Now().UnixNano()), "of the first kernel; the others follow")
	workers := flag.Int("workers", runtime.GOMAXPROCS(0), "kernels at a time")
	flag.Parse()

	start := time.Now()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, *how)
	defer cancel()
	var next, done atomic.Uint64
	next.Store(*first)
	var once sync.Once
	var failed atomic.Bool
	var all sync.WaitGroup
	for range *workers {
		all.Go(func() {
			runners := append(random.Standard(), simulated()...)
			for ctx.Err() == nil {
				k := random.New(next.Add(1)-1, random.All)
				err := k.Check(runners...)
				if err == nil {
					done.Add(1)
					continue
				}
				failed.Store(true)
				cancel()
				once.Do(func() { report(err) })
			}
		})
	}
	all.Wait()
	fmt.Printf("%d kernels in %v from seed %d on, %d runners each\n", done.Load(), time.Since(start).Round(time.Second), *first,
		len(random.Standard())+len(simulated()))
	if failed.Load() {
		os.Exit(1)
	}
	fmt.Println("no difference")
}

func report(err error) {
	fmt.Println(err)
	if d := (*random.Difference)(nil); errors.As(err, &d) {
		small := random.Shrink(d, 20000)
		fmt.Printf("after shrinking: %v\n%v", small, small.Kernel.Func)
	}
}
