package gosrc

import (
	"go/types"
	"path"
	"slices"
	"strings"
)

// takers are the functions that want the source of a function that they are given, by package; of methods, with their
// type.
var takers = map[string]map[string]bool{
	GPU:                                     {"Launch": true, "LaunchCooperative": true, "Emulate": true, "Check": true, "Record": true, "Accesses": true, "Spaces": true, "Kernel": true, "Stream.Launch": true},
	"github.com/arrayrepl/arrayrepl/lazy":   {"Map": true, "Reduce": true},
	"github.com/arrayrepl/arrayrepl/gpu/dp": {"Op": true},
	Brook: {
		"Map": true, "Maps": true, "Reduce": true, "Flat": true, "Source": true, "Counts": true, "Advise": true,
		"Settings.Map": true, "Settings.Maps": true, "Settings.Reduce": true, "Settings.Flat": true, "Settings.Counts": true, "Settings.Advise": true,
		"Settings.ScatterOp": true, "Settings.GatherOp": true, "ScatterOp": true, "GatherOp": true, "Associative": true,
	},
	"github.com/arrayrepl/arrayrepl/gpu/puzzle": {"Check": true},
	Simulator: {"Score": true},
}

// Simulator is the import path of package simgpu.
const Simulator = "github.com/arrayrepl/arrayrepl/simgpu"

// MayRun reports whether fn, for which [TakesSource] holds, calls a function that it is given where that cannot be
// compiled.
func MayRun(fn *types.Func) bool {
	return fn.Pkg() != nil && strings.TrimSuffix(fn.Pkg().Path(), "@patch") == Simulator
}

// Takers returns the functions for which [TakesSource] holds and [MayRun] does not, sorted, by the last element of
// their package's path: "gpu.Launch"; methods with their type: "gpu.Stream.Launch".
func Takers() (names []string) {
	for pkg, functions := range takers {
		if pkg == Simulator {
			continue
		}
		for name := range functions {
			names = append(names, path.Base(pkg)+"."+name)
		}
	}
	slices.Sort(names)
	return names
}

// TakesSource reports whether fn wants the source of the functions that it is given: whoever makes the call hands it a
// [Func] in the place of a func.
func TakesSource(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	name := fn.Name()
	if recv := fn.Signature().Recv(); recv != nil {
		t := recv.Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		n, ok := types.Unalias(t).(*types.Named)
		if !ok {
			return false
		}
		name = n.Obj().Name() + "." + name
	}
	return takers[strings.TrimSuffix(fn.Pkg().Path(), "@patch")][name]
}

// LaunchesFromKernels reports whether fn launches the kernel that it is given from a kernel. In a kernel nobody hands
// it a [Func]: the compiler sees the function, and gpu.Emulate calls it.
func LaunchesFromKernels(fn *types.Func) bool {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil {
		return false
	}
	_, ok := fromKernel[nameOf(fn)]
	return ok
}
