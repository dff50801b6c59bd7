package opt_test

import (
	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
	"github.com/arrayrepl/arrayrepl/kir/random"
)

func init() {
	opt.SetRandom(func(seed uint64) *kir.Func { return random.New(seed, random.All).Func })
}
