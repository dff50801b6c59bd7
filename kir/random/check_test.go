package random

import (
	"errors"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
	"github.com/arrayrepl/arrayrepl/kir"
)

func TestAllAgree(t *testing.T) {
	for seed := range testsize.Seeds("kir/random.TestAllAgree") {
		check(t, seed)
	}
}

func check(t *testing.T, seed uint64) {
	t.Helper()
	err := New(seed, All).Check(Standard()...)
	if d := (*Difference)(nil); errors.As(err, &d) {
		d = Shrink(d, 2000)
		t.Fatalf("%v\nafter shrinking: %v\n%v", err, d, d.Kernel.Func)
	} else if err != nil {
		t.Fatalf("seed %d: %v\n%v", seed, err, New(seed, All).Func)
	}
}

func FuzzEngine(f *testing.F) {
	f.Add(uint64(0))
	f.Fuzz(check)
}

// A pass that takes every shift to the right for a division, which is wrong for negative numbers, is found, and what it
// is found by is small.
func TestAWrongPassIsFoundAndShrunk(t *testing.T) {
	testsize.InTurn(t, 1)
	wrong := After("wrong", func(f *kir.Func) *kir.Func {
		g := clone(f)
		for _, b := range g.Blocks {
			for _, v := range b.Values {
				if v.Op == kir.OpShr && v.Type == kir.I32 {
					v.Op, v.Args = kir.OpAbs, v.Args[:1]
				}
			}
		}
		return g
	}, Engine(1))
	for seed := range uint64(500) {
		var d *Difference
		if !errors.As(New(seed, Features{}).Check(wrong), &d) {
			continue
		}
		small := Shrink(d, 3000)
		if got, was := size(small.Kernel.Func), size(d.Kernel.Func); got > 40 || got*2 > was {
			t.Errorf("seed %d: size %d, before %d:\n%v", seed, got, was, small.Kernel.Func)
		}
		if small.Err != nil {
			t.Error(small)
		}
		return
	}
	t.Error("nobody noticed")
}
