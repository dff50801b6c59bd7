package gosrc

import (
	"go/types"
	"strings"
)

// takers are the functions that want the source of a function that they are given, by package.
var takers = map[string]map[string]bool{
	GPU:                                   {"Launch": true, "Emulate": true, "Check": true, "Kernel": true},
	"github.com/arrayrepl/arrayrepl/lazy": {"Map": true, "Reduce": true},
}

// TakesSource reports whether fn wants the source of the functions that it is given: whoever makes the call hands it a [Func]
// in the place of a func.
func TakesSource(fn *types.Func) bool {
	return fn.Pkg() != nil && fn.Signature().Recv() == nil && takers[strings.TrimSuffix(fn.Pkg().Path(), "@patch")][fn.Name()]
}
