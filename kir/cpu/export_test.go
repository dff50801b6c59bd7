package cpu

import "github.com/arrayrepl/arrayrepl/kir"

// The passes, which import this package; the external tests set them.
var optimize func(*kir.Func) *kir.Func

// SetOptimize brings package kir/opt to the tests of this package.
func SetOptimize(f func(*kir.Func) *kir.Func) { optimize = f }
