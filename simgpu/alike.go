package simgpu

import (
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"sync"
	"weak"

	"github.com/arrayrepl/arrayrepl/kir"
)

// alike is what kernels have in common that are the same and that GPUs of one machine have loaded: a launch takes the
// same time on each of the GPUs, so that what one has timed the others know.
type alike struct {
	number int64  // among all kernels
	times  *times // nil when launches must be timed anew each time; only the goroutine that executes has it
}

// alikes finds what kernels of a machine's GPUs have in common, as long as one of the kernels is there.
type alikes struct {
	mu   sync.Mutex
	like map[[sha256.Size]byte]weak.Pointer[alike]
}

// of returns what a kernel has in common with those that were loaded before, made of f; optimised is what it runs.
func (a *alikes) of(f *kir.Func, optimised *kir.Func) *alike {
	key := likeness(f)
	a.mu.Lock()
	defer a.mu.Unlock()
	if known := a.like[key].Value(); known != nil {
		return known
	}
	made := &alike{number: loaded.Add(1), times: newTimes(optimised)}
	if a.like == nil {
		a.like = map[[sha256.Size]byte]weak.Pointer[alike]{}
	}
	p := weak.Make(made)
	a.like[key] = p
	runtime.AddCleanup(made, func(p weak.Pointer[alike]) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.like[key] == p {
			delete(a.like, key)
		}
	}, p)
	return made
}

// likeness is equal for kernels that are equal and whose parameters and instructions have the same names and places in
// a program, since statistics have these too.
func likeness(f *kir.Func) [sha256.Size]byte {
	h := f.Hash()
	b := append(h[:], f.Name...)
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	for _, p := range f.Params {
		text(p.Name)
	}
	for _, blk := range f.Blocks {
		for _, v := range blk.Values {
			if !v.Op.IsFree() {
				text(v.Note)
				text(v.Pos.File)
				b = binary.AppendVarint(binary.AppendVarint(b, int64(v.Pos.Line)), int64(v.Pos.Col))
			}
		}
	}
	return sha256.Sum256(b)
}
