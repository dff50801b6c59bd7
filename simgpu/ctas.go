package simgpu

import (
	"fmt"
	"math/bits"
	"strings"
)

// CTAPolicy says how many blocks of a kernel (CTAs) an SM holds, how many of them issue at a time, and which takes the
// place of one all of whose warps wait for memory.
type CTAPolicy interface {
	Name() string
	// Residency is asked for each launch.
	Residency(BlockUse) Residence
	// Swap is asked when all warps of an active block wait for global memory or at a barrier and other blocks are ready
	// to go on. It returns an index into ready, which is not empty and has the one first that has been ready longest;
	// -1 leaves the block where it is.
	Swap(now int64, out CTA, ready []CTA) int
}

// BlockUse is what a block of a launch takes of an SM, and how many of them there is room for.
type BlockUse struct {
	Threads, Warps int
	Registers      int // of a thread
	Shared         int // bytes, rounded up to the machine's unit
	Scheduling     int // blocks for which the machine has slots of threads and of blocks
	Capacity       int // blocks for which registers and shared memory suffice
	SharedPerSM    int // bytes
}

// Residence is how many blocks an SM holds under a policy.
type Residence struct {
	Resident     int // blocks that have their registers and shared memory
	Active       int // of them, that issue
	SwapCycles   int // to read the context of a block that becomes active
	ContextBytes int // of shared memory that each block's takes
	// Off is why no more blocks are resident than without the policy, for reports: "the context of a block ...".
	Off string
}

// CTA is a block on an SM, as a CTAPolicy sees it.
type CTA struct {
	Block   int   // its index in the grid
	Live    int   // threads that have not returned
	Since   int64 // cycle from which it is ready; of one that goes, in which it came in
	Started bool
}

// Baseline holds as many blocks as the machine has slots for, and all issue.
type Baseline struct{}

// Name returns "baseline".
func (Baseline) Name() string { return "baseline" }

// Residency implements CTAPolicy.
func (Baseline) Residency(u BlockUse) Residence {
	n := min(u.Scheduling, u.Capacity)
	return Residence{Resident: n, Active: n}
}

// Swap implements CTAPolicy.
func (Baseline) Swap(int64, CTA, []CTA) int { return -1 }

// MaxTLP is the ideal rival of [VT]: a machine with slots for as many blocks as registers and shared memory hold.
type MaxTLP struct{}

// Name returns "max".
func (MaxTLP) Name() string { return "max" }

// Residency implements CTAPolicy.
func (MaxTLP) Residency(u BlockUse) Residence {
	return Residence{Resident: u.Capacity, Active: u.Capacity}
}

// Swap implements CTAPolicy.
func (MaxTLP) Swap(int64, CTA, []CTA) int { return -1 }

// VT is Virtual Thread (Yoon, Kim, Lee, Ro and Annavaram, ISCA 2016): an SM holds as many blocks as its registers
// and shared memory suffice for, of which as many issue as it has slots for. A block whose warps all wait for memory
// or at a barrier gives its slots to the one that has been ready longest; its registers and shared memory stay. What
// its warps have in the scheduler, their PCs and stacks, goes to shared memory, which is reserved for that. Where no
// more blocks fit than without, it is off.
//
// The paper's machine serves loads of active blocks before others: WithLoads(ActiveFirst{}).
type VT struct {
	PortBits   int  // that shared memory moves in a cycle; 0 is 512
	StackDepth int  // entries of a warp's stack that a context has; 0 is 4
	SwapFree   bool // a swap takes no time
}

// Name returns "vt" and what is not as usual.
func (v VT) Name() string {
	name := "vt"
	if v.PortBits > 0 {
		name += fmt.Sprintf(", %d bits a cycle", v.PortBits)
	}
	if v.StackDepth > 0 {
		name += fmt.Sprintf(", stacks of %d", v.StackDepth)
	}
	if v.SwapFree {
		name += ", free swaps"
	}
	return name
}

// virtualWarps is how many warps an SM tells apart.
const virtualWarps = 256

// ContextBits returns the size of the context of a block of so many warps: the numbers of its first warp and of its
// warps, its index in the grid, and for each warp its stack of lanes, PC and where they join.
func (v VT) ContextBits(warps int) int {
	depth := v.StackDepth
	if depth <= 0 {
		depth = 4
	}
	return bits.Len(virtualWarps-1) + 5 + 3*32 + (32+64+64)*depth*warps
}

// Residency implements CTAPolicy.
func (v VT) Residency(u BlockUse) Residence {
	off := Baseline{}.Residency(u)
	context := v.ContextBits(u.Warps)
	bytes, port := (context+7)/8, v.PortBits
	if port <= 0 {
		port = 512
	}
	n := min(u.Capacity, u.SharedPerSM/(u.Shared+bytes), virtualWarps/u.Warps)
	if n <= off.Resident {
		off.Off = v.whyOff(u, bytes)
		return off
	}
	r := Residence{Resident: n, Active: off.Active, SwapCycles: (context + port - 1) / port, ContextBytes: bytes}
	if v.SwapFree {
		r.SwapCycles = 0
	}
	return r
}

// whyOff says why no more blocks fit than there are slots for, where a context takes so many bytes.
func (v VT) whyOff(u BlockUse, bytes int) string {
	slots := min(u.Scheduling, u.Capacity)
	switch {
	case u.Capacity <= u.Scheduling:
		return fmt.Sprintf("registers and shared memory hold %d blocks, and there are slots for %d", u.Capacity, u.Scheduling)
	case virtualWarps/u.Warps <= slots:
		return fmt.Sprintf("an SM tells %d warps apart, which are %d blocks of %d, and there are slots for %d", virtualWarps, virtualWarps/u.Warps, u.Warps, slots)
	}
	return fmt.Sprintf("the context of a block takes %d bytes of shared memory beside its own %d: %d bytes hold %d such blocks, and there are slots for %d",
		bytes, u.Shared, u.SharedPerSM, u.SharedPerSM/(u.Shared+bytes), slots)
}

// Swap returns the block that has been ready longest.
func (VT) Swap(int64, CTA, []CTA) int { return 0 }

// VirtualOccupancy is what a kernel takes of an SM under a CTAPolicy, beside what it takes without.
type VirtualOccupancy struct {
	Type              string // "S": there is no slot for one block more; "C": no register or shared memory
	Use               BlockUse
	Baseline, With    Residence
	Registers, Shared [2]float64 // part that resident blocks have, without the policy and with it
	Limit             string     // what limits the baseline: "threads", "blocks", "registers", "shared memory"
}

// OccupancyUnder returns how many blocks an SM holds under a policy, of so many threads, which use so many registers
// per thread and so many bytes of shared memory. Its error is a *LaunchLimit when not even one fits.
func OccupancyUnder(policy CTAPolicy, p Preset, registers, threads, shared int) (VirtualOccupancy, error) {
	r, err := Occupancy(p, registers, threads, shared)
	if err != nil {
		return VirtualOccupancy{}, err
	}
	u := p.blockUse(r, registers, threads, shared)
	o := VirtualOccupancy{Type: "C", Use: u, Baseline: Baseline{}.Residency(u), With: policy.Residency(u), Limit: r.LimitedBy}
	if u.Scheduling < u.Capacity {
		o.Type = "S"
	}
	for i, of := range []Residence{o.Baseline, o.With} {
		o.Registers[i] = float64(of.Resident*u.Registers*u.Warps*p.WarpSize) / float64(p.Registers)
		o.Shared[i] = float64(of.Resident*(u.Shared+of.ContextBytes)) / float64(p.SharedPerSM)
	}
	return o, nil
}

// String is what a cell shows: "type S (threads): 6 blocks; with the policy 12 resident, 6 active, ...".
func (o VirtualOccupancy) String() string {
	text := fmt.Sprintf("type %s (%s): %d blocks of %d that registers and shared memory hold, %.1f %% of registers", o.Type, o.Limit,
		o.Baseline.Resident, o.Use.Capacity, 100*o.Registers[0])
	if o.With.Resident == o.Baseline.Resident {
		return strings.TrimSuffix(text+"; the policy adds none: "+o.With.Off, ": ")
	}
	return text + fmt.Sprintf("; with the policy %d resident and %d active, %.1f %% of registers, %.1f %% of shared memory, %d cycles a swap",
		o.With.Resident, o.With.Active, 100*o.Registers[1], 100*o.Shared[1], o.With.SwapCycles)
}

// blockUse returns what a CTAPolicy hears of a launch.
func (p *Preset) blockUse(r Residency, registers, threads, shared int) BlockUse {
	u := BlockUse{Threads: threads, Warps: p.warps(threads), Registers: registers, Shared: p.sharedOf(shared),
		Scheduling: min(r.ByThreads, r.ByBlocks), Capacity: r.ByRegisters, SharedPerSM: p.SharedPerSM}
	if u.Shared > 0 {
		u.Capacity = min(u.Capacity, p.SharedPerSM/u.Shared)
	}
	return u
}

// residence asks the policy for blocks how many an SM holds.
func (k *kernel) residence(r Residency, registers, threads, shared int) (of Residence, err error) {
	policy := k.gpu.policies.ctas
	u := k.gpu.preset.blockUse(r, registers, threads, shared)
	if policy == nil {
		return Residence{Resident: r.Blocks, Active: r.Blocks}, nil
	}
	e := ask(func() { of = policy.Residency(u) })
	if e == nil && (of.Active < 1 || of.Active > of.Resident || of.Resident > u.Capacity || of.SwapCycles < 0) {
		e = &PolicyError{What: fmt.Sprintf("makes %d blocks resident and %d active, with swaps of %d cycles: 1 or more are active, as many or more resident, "+
			"and %d for which registers and shared memory suffice at most", of.Resident, of.Active, of.SwapCycles, u.Capacity), Cycle: -1}
	}
	if e != nil {
		e.Kernel, e.Kind, e.Policy = k.name, ctaKind, nameOf(policy)
		return of, e
	}
	return of, nil
}

// swaps returns why blocks cannot be swapped under the other policies, or nil.
func (p policies) swaps() error {
	switch p.ctas.(type) {
	case nil, Baseline, MaxTLP:
		return nil
	}
	why := ""
	switch p.divergence.(type) {
	case former:
		why = "whose groups are of several blocks' threads"
	case Sharer:
		why = "whose threads are in no warp whose context could be saved"
	case NREC:
		why = "whose warps become more than there are slots"
	case SBI:
		why = "whose tables are of the hardware's warps"
	}
	if p.co != nil {
		why = "beside which " + nameOf(p.co) + " looks for a second warp by its number in the hardware"
	}
	if why != "" {
		return fmt.Errorf("simgpu: %s swaps blocks under PDOM or TF, not under %s, %s", nameOf(p.ctas), nameOf(p.divergence), why)
	}
	return nil
}
