package kir_test

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/random"
	"github.com/arrayrepl/arrayrepl/kir/ref"
)

func init() {
	kir.SetReference(func(f *kir.Func, grid, block kir.Dim3, params []byte, memory map[uint64][]byte) error {
		return ref.Run(f, ref.Launch{Grid: grid, Block: block, Params: params, Memory: memory})
	}, ref.Op, ref.Fma32)
	kir.SetRandom(func(seed uint64) *kir.Func { return random.New(seed, random.All).Func })
}
