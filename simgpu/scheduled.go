package simgpu

import (
	"fmt"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
	"github.com/arrayrepl/arrayrepl/kir/opt"
)

// version is a kernel with its instructions in one order, and what it takes in that.
type version struct {
	code      *code
	registers int // per thread
}

// version returns the kernel as the machine's compiler orders it for a launch of blocks of so many threads and bytes of
// shared memory, which has the residency occ in the order in which the kernel is written. It has the same in the other:
// loads that are under way at a time take registers, and a compiler that takes blocks from an SM for them loses more
// than it gains.
func (k *kernel) version(at *places, threads, shared int, occ Residency) version {
	if !k.reorders {
		return k.plain
	}
	most := k.plain.registers
	for most < k.most {
		o, err := Occupancy(k.gpu.preset, most+1, threads, shared)
		if err != nil || o.Blocks < occ.Blocks {
			break
		}
		most++
	}
	v := k.within(k.most, at)
	if v.registers > most {
		v = k.within(most, at)
	}
	return v
}

// mostVersions bounds the versions that a kernel keeps.
const mostVersions = 32

// within returns the kernel in the best order that takes at most so many registers, for buffers as at has them.
func (k *kernel) within(most int, at *places) version {
	key := fmt.Sprint(most)
	apart := func(p, q int) bool { return at.first(p) >= 0 && at.first(q) >= 0 && at.first(p) != at.first(q) }
	if k.bounds.Compiled { // before anybody knew the arguments
		apart = nil
	} else {
		for i := range k.program.Func().Params {
			key = fmt.Sprint(key, " ", at.first(i))
		}
	}
	if v, ok := k.versions[key]; ok {
		return v
	}
	f, p := k.program.Func(), &k.gpu.preset
	v := k.plain
	merged := k.merged(f, most)
	if g := opt.Schedule(merged, opt.Machine{Timing: p.timing(merged), Registers: most, Apart: apart}); g != f {
		v = version{newCode(p, g, f, k.gpu.branches()), min(opt.Registers(g), k.most)}
	}
	if len(k.versions) >= mostVersions {
		clear(k.versions)
	}
	k.versions[key] = v
	return v
}

// How far apart loads of neighbouring words may stand, in instructions, to become one.
const (
	mergeFar  = 96
	mergeNear = 16
)

// mergeRegisters are those that a thread of the largest block may have.
const mergeRegisters = 64

// merged returns f with wide loads of shared memory: of all that stand near each other, and of those that stand far
// where registers suffice to keep what was loaded until then. NVIDIA's assembler does not know how large blocks will
// be: these may become fewer on an SM. Before compute capability 2 lanes that are two words apart met in the banks, and
// loads stayed as they were.
func (k *kernel) merged(f *kir.Func, most int) *kir.Func {
	if strings.HasPrefix(k.gpu.preset.Capability, "1.") {
		return f
	}
	for _, within := range []int{mergeFar, mergeNear} {
		if g := opt.MergeLoads(f, within); g == f || opt.Registers(g) <= max(most, min(k.most, mergeRegisters)) {
			return g
		}
	}
	return f
}

// timing returns what the machine's compiler takes the instructions of f for: loads from global memory for misses of
// all caches, without those who wait beside them.
func (p *Preset) timing(f *kir.Func) func(*kir.Value) (issue, latency int) {
	l := newLowering(p, f)
	memory := [...]int{kir.Global: p.L1Latency + p.L2Latency + p.DRAMLatency, kir.Shared: p.SharedLatency, kir.Local: p.L1Latency, kir.Const: p.L1Latency}
	return func(v *kir.Value) (issue, latency int) {
		c := l.cost(v)
		if c.count == 0 {
			return 0, 0
		}
		in := l.instr(c, nil)
		before := (int(in.count) - 1) * int(in.gap)
		latency = int(in.time)
		switch {
		case v.Op == kir.OpStore:
			latency = 1
		case v.Op.IsMemory():
			latency = memory[v.Space]
		case v.Op == kir.OpShuffle:
			latency = p.SharedLatency
		}
		return before + 1, before + latency
	}
}
