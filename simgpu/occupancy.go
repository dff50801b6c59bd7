package simgpu

import "fmt"

// Residency is how many blocks of a kernel an SM holds at a time.
type Residency struct {
	Blocks    int
	Warps     int     // Blocks times the warps of a block
	Fraction  float64 // Warps over the most that the SM holds: the theoretical occupancy
	LimitedBy string  // what stops one more block: "threads", "blocks", "registers", "shared memory"

	ByThreads, ByBlocks, ByRegisters, ByShared int // blocks that each limit allows
}

// String names the limits: "2 blocks, 16 warps, occupancy 67 %, limited by registers (threads allow 3 blocks, ...)".
func (r Residency) String() string {
	return fmt.Sprintf("%d blocks, %d warps, occupancy %.0f %%, limited by %s (threads allow %d blocks, block slots %d, registers %d, shared memory %d)",
		r.Blocks, r.Warps, 100*r.Fraction, r.LimitedBy, r.ByThreads, r.ByBlocks, r.ByRegisters, r.ByShared)
}

// Occupancy returns the residency of blocks of so many threads, which use so many registers per thread and so many
// bytes of shared memory, by the rules of NVIDIA's occupancy calculator: registers go to warps (on old machines to
// blocks) and shared memory to blocks, in multiples of the preset's units, and with what the system takes for each. Its
// error is a *LaunchLimit when not even one block fits.
//
// For example:
//
//	v100, _ := simgpu.PresetByName("v100")
//	simgpu.Occupancy(v100, 40, 256, 0) // 40 registers a thread, blocks of 256, no shared memory
func Occupancy(p Preset, registers, threads, shared int) (Residency, error) {
	if err := p.checkBlock("kernel", threads, shared); err != nil {
		return Residency{}, err
	}
	if registers > p.MaxRegistersPerThread {
		return Residency{}, &LaunchLimit{Kernel: "kernel", Limit: "number of registers of a thread", Value: registers, Max: p.MaxRegistersPerThread}
	}
	warps := p.warps(threads)
	maxWarps := p.MaxThreadsPerSM / p.WarpSize
	perWarp := roundUp(max(registers, 1)*p.WarpSize, p.RegisterUnit)
	byRegisters := p.Registers / perWarp / p.WarpUnit * p.WarpUnit / warps
	perBlock := perWarp * warps
	if p.RegistersByBlock {
		perBlock = roundUp(max(registers, 1)*p.WarpSize*roundUp(warps, p.WarpUnit), p.RegisterUnit)
		byRegisters = p.Registers / perBlock
	}
	byShared := p.MaxBlocksPerSM
	if n := p.sharedOf(shared); n > 0 {
		byShared = p.SharedPerSM / n
	}
	r := Residency{
		ByThreads:   maxWarps / warps,
		ByBlocks:    p.MaxBlocksPerSM,
		ByRegisters: byRegisters,
		ByShared:    byShared,
	}
	if r.ByRegisters == 0 {
		return Residency{}, &LaunchLimit{Kernel: "kernel", Limit: "registers of an SM", Value: perBlock, Max: p.Registers}
	}
	r.Blocks = p.MaxBlocksPerSM + 1
	for _, limit := range []struct {
		name   string
		blocks int
	}{{"threads", r.ByThreads}, {"blocks", r.ByBlocks}, {"registers", r.ByRegisters}, {"shared memory", r.ByShared}} {
		if limit.blocks < r.Blocks {
			r.Blocks, r.LimitedBy = limit.blocks, limit.name
		}
	}
	r.Warps = r.Blocks * warps
	r.Fraction = float64(r.Warps) / float64(maxWarps)
	return r, nil
}

// registersFor returns the most registers that a thread can have where a block of so many threads is to fit an SM.
func (p *Preset) registersFor(threads int) int {
	most := p.MaxRegistersPerThread
	threads = min(threads, p.MaxThreadsPerBlock)
	for most > 1 {
		if _, err := Occupancy(*p, most, threads, 0); err == nil {
			break
		}
		most--
	}
	return most
}

// LaunchLimit says that a launch asked for more than the device has, or for nothing.
type LaunchLimit struct {
	Kernel     string
	Limit      string // what was exceeded: "threads of a block"
	Value, Max int    // what the launch asked for; the most there is
}

func (e *LaunchLimit) Error() string {
	if e.Value <= 0 {
		return fmt.Sprintf("kernel %s was not launched: %s is %d, it must be 1 to %d", e.Kernel, e.Limit, e.Value, e.Max)
	}
	return fmt.Sprintf("kernel %s was not launched: %s is %d, the limit is %d", e.Kernel, e.Limit, e.Value, e.Max)
}

func (p *Preset) checkBlock(kernel string, threads, shared int) error {
	switch {
	case threads <= 0 || threads > p.MaxThreadsPerBlock:
		return &LaunchLimit{kernel, "number of threads of a block", threads, p.MaxThreadsPerBlock}
	case shared > p.mostShared():
		return &LaunchLimit{kernel, "shared memory of a block (bytes)", shared, p.mostShared()}
	}
	return nil
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }
