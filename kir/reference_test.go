package kir_test

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

func init() {
	kir.SetRandom(func(seed uint64) *kir.Func { return random.New(seed, random.All).Func }, opt.Optimize)
}
