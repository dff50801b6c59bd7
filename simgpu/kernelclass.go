package simgpu

import (
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"sync"
	"weak"

	"github.com/arrayrepl/arrayrepl/kir"
)

// kernelClass is what equal kernels have in common that GPUs of one machine have loaded: a launch takes the same time
// on each of the GPUs, so that what one has timed the others know.
type kernelClass struct {
	number int64  // among all kernels
	times  *times // nil when launches must be timed anew each time; only the goroutine that executes has it
}

// kernelClasses finds what kernels of a machine's GPUs have in common, as long as one of the kernels is there.
type kernelClasses struct {
	mu    sync.Mutex
	known map[[sha256.Size]byte]weak.Pointer[kernelClass]
}

// of returns the class of a kernel that is made of f; optimised is what it runs.
func (c *kernelClasses) of(f *kir.Func, optimised *kir.Func) *kernelClass {
	key := fingerprint(f)
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.known[key].Value(); k != nil {
		return k
	}
	made := &kernelClass{number: loaded.Add(1), times: newTimes(optimised)}
	if c.known == nil {
		c.known = map[[sha256.Size]byte]weak.Pointer[kernelClass]{}
	}
	p := weak.Make(made)
	c.known[key] = p
	runtime.AddCleanup(made, func(p weak.Pointer[kernelClass]) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.known[key] == p {
			delete(c.known, key)
		}
	}, p)
	return made
}

// fingerprint is equal for kernels that are equal and whose parameters, instructions and branches have the same names
// and places in a program, since statistics have these too.
func fingerprint(f *kir.Func) [sha256.Size]byte {
	h := f.Hash()
	b := append(h[:], f.Name...)
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	place := func(p kir.Pos) {
		text(p.File)
		b = binary.AppendVarint(binary.AppendVarint(b, int64(p.Line)), int64(p.Col))
	}
	for _, p := range f.Params {
		text(p.Name)
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if !v.Op.IsFree() {
				text(v.Note)
				place(v.Pos)
			}
		}
		place(blk.Term.Pos)
	}
	return sha256.Sum256(b)
}
