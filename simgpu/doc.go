// Package simgpu is GPUs that everyone has: simulated ones behind the contract of offload/device. Results are exact,
// times are modelled and their error is stated.
//
// Start with [Open] ("sim:v100") or [New] with a [Preset], which describes one machine as data. A launch runs twice:
// kir's engine computes it on the device's memory and records some or all thread blocks (record.go); then a cycle-level
// model (machine.go, sm.go, memory.go) replays the recorded blocks and fills a trace.KernelStats. When blocks are many,
// the model runs samples of them on a scaled-down machine and extrapolates (sample.go); the statistics say how many and
// how surely. Buffers share their bytes with the host until one side writes (contents.go).
//
// A [Divergence] policy decides which lanes of a warp go on together, an [IssuePolicy] which warp a scheduler issues, a
// [CoIssue] what issues beside it. Under [DWF] threads belong to no warp (forming.go, pool.go), and a [Picker] decides
// which group of them issues. A launch that was recorded is timed without being computed (replay.go).
// What a warp access costs is in coalesce.go and memory.go; what an operation is in machine instructions in lower.go.
//
// Device time is integer picoseconds since the machine was opened, and depends neither on the host nor on addresses:
// the same program has the same times everywhere. Streams are concurrent: copies of each direction, copies between the
// GPUs of a machine ([NewMachine]) and kernels go on side by side where engines, links, SMs and memory have room for
// them (meter.go); of work that wants the same, what was queued first has it. L2 keeps what launches leave there
// ([ColdCaches]). The model is not cycle-accurate: nobody outside NVIDIA knows the machine that well.
//
// The package knows nothing of arrays, of schedules, or of who made a kernel.
package simgpu
