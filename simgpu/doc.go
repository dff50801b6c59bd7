// Package simgpu is GPUs that everyone has: simulated ones behind the contract of offload/device. Results are exact, times
// are modelled and their error is stated.
//
// Start with [Open] ("sim:v100") or [New] with a [Preset], which describes one machine as data. A launch runs twice: kir's
// engine computes it on the device's memory and records some or all thread blocks (record.go); then a cycle-level model
// (machine.go, sm.go, memory.go) replays the recorded blocks and fills a trace.KernelStats. When blocks are many, the model
// runs samples of them on a scaled-down machine and extrapolates (sample.go); the statistics say how many and how surely.
//
// A [Divergence] policy decides which lanes of a warp go on together, a [Picker] which warp a scheduler issues. What a warp
// access costs is in coalesce.go and memory.go; what an operation is in machine instructions in lower.go.
//
// Device time is integer picoseconds since the device was opened, and never depends on the host: the same program has the
// same times everywhere. Kernels of different streams take turns on the SMs; they overlap with copies, one per direction.
// SMs and copy engines take work in the order in which it was queued. Every kernel starts with cold caches. The model is not cycle-accurate: nobody outside NVIDIA knows the machine that well.
//
// The package knows nothing of arrays, of schedules, or of who made a kernel.
package simgpu
