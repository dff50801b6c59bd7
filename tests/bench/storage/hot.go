package main

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
)

// hot is what indexing an array in a file costs a kernel on the CPU when all its lines are in the cache: beside the
// same kernel over memory, in turns. Neighbouring threads read neighbouring elements.
func (b *bench) hot() error {
	const elements, turns = 1 << 21, 9
	path := filepath.Join(b.dir, "hot.npy")
	if err := np.Save(path, np.Arange(elements).AsType(np.Float64)); err != nil {
		return err
	}
	inFile, err := np.Open(path, np.CacheBytes(32<<20))
	if err != nil {
		return err
	}
	defer inFile.Close()
	inMemory := np.Arange(elements).AsType(np.Float64)
	np.Eval(inMemory)
	fmt.Printf("\n## Lines that are in the cache, on the CPU\n\n")
	fmt.Printf("| a kernel of %d threads | took | over memory | times as fast | bar | |\n|---|---|---|---|---|---|\n", elements)
	for _, steps := range []int{0, 16} {
		f, err := scaled(steps)
		if err != nil {
			return err
		}
		least := [2]time.Duration{1 << 62, 1 << 62}
		for range turns {
			for i, x := range []*np.Array{inFile, inMemory} {
				out := np.Zeros(elements)
				np.Eval(out)
				began := time.Now()
				np.Wiring{}.Launch(kernelcall.Call[np.Array]{
					Name: f.Name, Func: f, Grid: kir.D1(elements / 256), Block: kir.D1(256),
					Args: []kernelcall.Arg[np.Array]{{Array: x}, {Array: out, Writes: true}},
				})
				np.Eval(out)
				least[i] = min(least[i], time.Since(began))
			}
		}
		row(fmt.Sprintf("a load, a store and %d operations a thread", steps+1), least[0], least[1], 0.5)
	}
	return nil
}

// scaled is out[i] = data[i] + 1, and so many multiplications.
func scaled(steps int) (*kir.Func, error) {
	b := kir.NewBuilder("scaled")
	data, out, i := b.Param("data", kir.U64), b.Param("out", kir.U64), b.GlobalIDX()
	v := b.Op(kir.OpAdd, b.Load(kir.Global, kir.F64, b.Index(data, i, kir.F64)), b.Const(kir.F64, 1))
	for range steps {
		v = b.Op(kir.OpMul, v, b.Const(kir.F64, 1.0001))
	}
	b.Store(kir.Global, b.Index(out, i, kir.F64), v)
	b.Return()
	return b.Func()
}
