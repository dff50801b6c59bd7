package ixgo

import "golang.org/x/tools/go/ssa"

// TierFunctions calls f for the functions of the program that e compiled last: whether the numeric tier takes them, and
// why its lowering refuses one, "" where it does not.
func (e *Engine) TierFunctions(f func(fn *ssa.Function, has bool, refusal func() string)) {
	t := e.lastTier
	for fn := range t.funcs {
		f(fn, t.Has(fn), func() string { return t.prog.Refusal(fn) })
	}
}
