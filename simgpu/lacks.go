package simgpu

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// feature is something that machines have from a compute capability on.
type feature struct {
	name  string
	since string
	uses  func(v *kir.Value) bool
}

// features is NVIDIA's table "Feature Support per Compute Capability" of the CUDA C Programming Guide (of versions 4 to
// 8, for what newer ones take for granted), with what its sections on atomic functions, votes, shuffles,
// __syncthreads_count and printf say of each. Of what a kernel uses the newest counts. Not in it: operations without
// which C could not be compiled (fences, integers of 64 bits) and what the compiler makes of others (fma, elementary
// functions).
var features = []feature{
	{"atomics on global memory", "1.1", func(v *kir.Value) bool { return v.Op.IsAtomic() && v.Space == kir.Global }},
	{"atomics on shared memory", "1.2", func(v *kir.Value) bool { return v.Op.IsAtomic() && v.Space == kir.Shared }},
	{"atomics of 64 bits on global memory", "1.2", func(v *kir.Value) bool { return wideAtomic(v) && v.Space == kir.Global }},
	{"votes of a warp", "1.2", func(v *kir.Value) bool { return v.Op == kir.OpVoteAll || v.Op == kir.OpVoteAny }},
	{"float64", "1.3", computesDoubles},
	{"atomics of 64 bits on shared memory", "2.0", func(v *kir.Value) bool { return wideAtomic(v) && v.Space == kir.Shared }},
	{"atomic sums of float32", "2.0", func(v *kir.Value) bool { return v.Op == kir.OpAtomicAdd && v.Type == kir.F32 }},
	{"ballots of a warp", "2.0", func(v *kir.Value) bool { return v.Op == kir.OpBallot }},
	{"barriers that count", "2.0", func(v *kir.Value) bool { return v.Op.IsBarrier() && len(v.Args) > 0 }},
	{"fences for the host and other devices", "2.0", func(v *kir.Value) bool { return v.Op == kir.OpFence && kir.Scope(v.Imm) == kir.SystemScope }},
	{"printf", "2.0", func(v *kir.Value) bool { return v.Op == kir.OpPrintf }},
	{"shuffles of a warp", "3.0", func(v *kir.Value) bool { return v.Op == kir.OpShuffle }},
	{"the mask of active lanes", "3.0", func(v *kir.Value) bool { return v.Op == kir.OpActiveMask }},
	{"atomic minima, maxima and logic of 64 bits", "3.5", func(v *kir.Value) bool {
		switch v.Op {
		case kir.OpAtomicMin, kir.OpAtomicMax, kir.OpAtomicAnd, kir.OpAtomicOr, kir.OpAtomicXor:
			return wideAtomic(v)
		}
		return false
	}},
	{"barriers of the grid", "6.0", func(v *kir.Value) bool { return v.Op == kir.OpGridBarrier }},
	{"atomic sums of float64", "6.0", func(v *kir.Value) bool { return v.Op == kir.OpAtomicAdd && v.Type == kir.F64 }},
	{"matches in a warp", "7.0", func(v *kir.Value) bool { return v.Op == kir.OpMatchAny }},
	{"products of matrices by tensor cores", "7.0", func(v *kir.Value) bool { return v.Op == kir.OpMMA }},
	{"products m16n8k8 by tensor cores (gpu.MMAQuarters, m8n8k4, needs 7.0)", "7.5", func(v *kir.Value) bool { return isMMA(v, kir.MMAF16) && kir.MMAShort(v) }},
	{"products m16n8k16 by tensor cores (gpu.MMAQuarters, m8n8k4, needs 7.0)", "8.0", func(v *kir.Value) bool { return isMMA(v, kir.MMAF16) && !kir.MMAShort(v) }},
	{"tensor cores for bfloat16", "8.0", func(v *kir.Value) bool { return isMMA(v, kir.MMABF16) }},
	{"tensor cores for tf32", "8.0", func(v *kir.Value) bool { return isMMA(v, kir.MMATF32) }},
	{"reductions of a warp", "8.0", func(v *kir.Value) bool { return v.Op == kir.OpWarpReduce }},
	{"tensor cores for numbers of 8 bits", "8.9", func(v *kir.Value) bool { return isMMA(v, kir.MMAE4M3) || isMMA(v, kir.MMAE5M2) }},
	{"clusters of blocks", "9.0", func(v *kir.Value) bool { return usesClusters(v) }},
}

// isMMA reports whether v is a product of matrices of shape s.
func isMMA(v *kir.Value, s kir.MMAShape) bool {
	_, is := kir.MMAOf(v.Imm)
	return v.Op == kir.OpMMA && is == s
}

// usesClusters reports whether v is of what blocks of a cluster have together.
func usesClusters(v *kir.Value) bool {
	s := kir.Special(v.Imm)
	return v.Op == kir.OpClusterBarrier || v.Op == kir.OpSharedOf || v.Op == kir.OpSpecial && (s == kir.ClusterRank || s == kir.ClusterBlocks)
}

func wideAtomic(v *kir.Value) bool { return v.Op.IsAtomic() && v.Type.Bytes() == 8 }

// computesDoubles reports whether v computes with doubles; to move them takes no more than 64 bits.
func computesDoubles(v *kir.Value) bool {
	if v.Op.IsMemory() || v.Op.IsFree() || v.Op == kir.OpSelect || v.Op == kir.OpBitcast || v.Op == kir.OpPrintf {
		return false
	}
	is := v.Type == kir.F64
	for _, a := range v.Args {
		is = is || a.Type == kir.F64
	}
	return is
}

// Lack is the error of a launch that needs what the machine has not, as its compute capability was lower. gpu.Anyway
// launches all the same.
type Lack struct {
	Kernel, Device string
	Feature        string  // "float64"
	Needs, Has     string  // compute capabilities: "1.3", "1.0"
	Pos            kir.Pos // of the line that uses it
	Line           string  // its text, where that is known
}

// Error names the line, what it needs, and what to do.
func (e *Lack) Error() string {
	at := ""
	if e.Pos != (kir.Pos{}) {
		at = e.Pos.String() + ": "
	}
	if e.Line != "" {
		at += e.Line + ": "
	}
	need := "need" // "shuffles of a warp need", but "float64 needs"
	switch e.Feature {
	case "float64", "printf", "the mask of active lanes":
		need = "needs"
	}
	return fmt.Sprintf("%skernel %s was not launched: %s %s compute capability %s, %s has %s; gpu.Anyway() among the arguments of the launch runs it all the same",
		at, e.Kernel, e.Feature, need, e.Needs, e.Device, e.Has)
}

// Lacks implements device.Limited: its error is a *Lack.
func (k *kernel) Lacks() error { return k.lacks }

// lacks returns a *Lack for the newest feature of f, as the compiler has left it, that g is too old for, at the first
// line that uses it.
func (g *GPU) lacks(f *kir.Func) error {
	has := g.preset.Capability
	if has == "" { // of a paper: it has what its programs use
		return nil
	}
	best := -1
	var where *kir.Value
	// functions of float32, which Go can write no other way
	rounded := opt.RoundedCallsOf(f, func(string, []*kir.Value) bool { return true })
	for _, b := range f.Blocks {
		for _, v := range b.Values {
			if _, is := rounded.Of[v]; is || rounded.Inner[v] {
				continue
			}
			for i := len(features) - 1; i > best && older(has, features[i].since); i-- {
				if features[i].uses(v) {
					best, where = i, v
				}
			}
		}
	}
	if asks := f.Launches(); asks != nil && older(has, "3.5") && (best < 0 || older(features[best].since, "3.5")) {
		return &Lack{Kernel: f.Name, Device: g.id, Feature: "launches from kernels", Needs: "3.5", Has: has, Pos: asks.Pos, Line: f.Line(asks.Pos)}
	}
	if best < 0 {
		if newest := features[len(features)-1]; f.Bounds.Cluster > 1 && older(has, newest.since) {
			return &Lack{Kernel: f.Name, Device: g.id, Feature: newest.name, Needs: newest.since, Has: has}
		}
		return nil
	}
	x := features[best]
	e := &Lack{Kernel: f.Name, Device: g.id, Feature: x.name, Needs: x.since, Has: has, Pos: where.Pos, Line: f.Line(where.Pos)}
	if e.Line == "" {
		e.Line = where.Note
	}
	return e
}

// older reports whether compute capability a is less than b; one that is not a number is new.
func older(a, b string) bool {
	of := func(s string) (n int) {
		major, minor, _ := strings.Cut(s, ".")
		x, err := strconv.Atoi(major)
		if err != nil {
			return 1 << 20
		}
		y, _ := strconv.Atoi(minor)
		return 100*x + y
	}
	return of(a) < of(b)
}
