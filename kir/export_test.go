package kir

import "testing"

// The generator of kernels and the passes, which import this package; the external tests set them.
var (
	randomFunc func(seed uint64) *Func
	optimize   func(*Func) *Func
)

// SetRandom brings packages kir/random and kir/opt to the tests of this package.
func SetRandom(f func(seed uint64) *Func, o func(*Func) *Func) { randomFunc, optimize = f, o }

func mustFunc(t testing.TB, b *Builder) *Func {
	t.Helper()
	f, err := b.Func()
	if err != nil {
		t.Fatal(err)
	}
	return f
}
