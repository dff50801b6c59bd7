package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"time"

	"github.com/arrayrepl/arrayrepl/arrays"
	"github.com/arrayrepl/arrayrepl/internal/kernelcall"
	"github.com/arrayrepl/arrayrepl/kir"
	np "github.com/arrayrepl/arrayrepl/lazy"
	"github.com/arrayrepl/arrayrepl/offload/storage/nvme"
)

// vectorAdd is c = a + b of three files, as the paper's program that writes: by pieces, and by a kernel whose lines
// come and go, with caches of a sixteenth. What is in c afterwards is compared with what memory has.
func (b *bench) vectorAdd() error {
	n := b.n / 8
	first, second := np.Arange(n).AsType(np.Float64), np.Arange(n).Mul(7).Mod(1000).AsType(np.Float64)
	want := first.Add(second).Array().Bytes()
	for name, x := range map[string]*np.Array{"a.npy": first, "b.npy": second} {
		if err := np.Save(filepath.Join(b.dir, name), x); err != nil {
			return err
		}
	}
	f, err := added()
	if err != nil {
		return err
	}
	tiled := time.Duration(0)
	fmt.Printf("\n## vectorAdd\n\nThree files of %d MB, caches of 1/16; what is written is on the disk at the end; least of three.\n\n", n*8>>20)
	fmt.Printf("| | took | of the first | lines written back |\n|---|---|---|---|\n")
	for _, way := range []struct {
		name    string
		kernel  bool
		options []np.FileOption
	}{
		{"by pieces", false, nil},
		{"a kernel, on demand", true, nil},
		{"the same with asynchronous write-back", true, []np.FileOption{np.AsyncWriteback()}},
	} {
		least, written := time.Duration(1<<62), int64(0)
		for range 3 {
			took, lines, err := b.add(f, n, want, way.kernel, way.options)
			if err != nil {
				return fmt.Errorf("%s: %w", way.name, err)
			}
			least, written = min(least, took), lines
		}
		if tiled == 0 {
			tiled = least
		}
		fmt.Printf("| %s | %v | %.2f | %d |\n", way.name, least.Round(time.Millisecond), least.Seconds()/tiled.Seconds(), written)
	}
	fmt.Printf("\nsim optane*4: on demand takes %.2f times as long as tiles that overlap, with asynchronous write-back %.2f; the paper 1.51.\n",
		nvme.VectorAdd(nvme.Config{SSDs: 4}, false), nvme.VectorAdd(nvme.Config{SSDs: 4}, true))
	return nil
}

// add is one way to do it, once.
func (b *bench) add(f *kir.Func, n int, want []byte, kernel bool, options []np.FileOption) (took time.Duration, written int64, err error) {
	path := filepath.Join(b.dir, "c.npy")
	options = append([]np.FileOption{np.CacheBytes(int64(n) * 8 / 16)}, options...)
	if err := np.Save(path, np.Zeros(n)); err != nil {
		return 0, 0, err
	}
	var files [3]*np.Array
	for i, name := range []string{"a.npy", "b.npy", "c.npy"} {
		o := options
		if i == 2 {
			o = append(o[:len(o):len(o)], np.Writable())
		}
		if files[i], err = np.Open(filepath.Join(b.dir, name), o...); err != nil {
			return 0, 0, err
		}
		defer files[i].Close()
	}
	began := time.Now()
	if err := caught(func() error {
		if !kernel {
			files[2].Set(files[0].Add(files[1]))
			return files[2].Flush()
		}
		np.Wiring{}.Launch(kernelcall.Call[np.Array]{
			Name: f.Name, Func: f, Grid: kir.D1(n / 256), Block: kir.D1(256),
			Args: []kernelcall.Arg[np.Array]{{Array: files[0]}, {Array: files[1]}, {Array: files[2], Writes: true}},
		})
		return files[2].Flush()
	}); err != nil {
		return 0, 0, err
	}
	took = time.Since(began)
	s, err := files[2].Storage()
	if err != nil {
		return 0, 0, err
	}
	a, err := arrays.Load(path)
	if err == nil && !bytes.Equal(want, a.Bytes()) {
		err = fmt.Errorf("the file does not have the sums")
	}
	return took, s.Cache.WriteIOs, err
}

// added is c[i] = a[i] + b[i].
func added() (*kir.Func, error) {
	b := kir.NewBuilder("added")
	a, c, out, i := b.Param("a", kir.U64), b.Param("b", kir.U64), b.Param("out", kir.U64), b.GlobalIDX()
	load := func(p *kir.Value) *kir.Value { return b.Load(kir.Global, kir.F64, b.Index(p, i, kir.F64)) }
	b.Store(kir.Global, b.Index(out, i, kir.F64), b.Op(kir.OpAdd, load(a), load(c)))
	b.Return()
	return b.Func()
}
