// Package calibrate measures on a device what a preset of simgpu says of one: latencies, rates and overheads, by ten
// microbenchmarks as those of Jia et al., "Dissecting the NVIDIA Volta GPU architecture via microbenchmarking" (2018).
//
// Start with [Run]. It knows devices only through offload/device: on a real card it gives figures to make a preset of;
// on a simulated one it gives the figures of its own preset back, which the tests hold it to. [Preset] makes a machine
// of figures, and [Compare] shows how far a machine is off a device, launch by launch.
//
// Every figure is the difference of two runs, a short and a long one, so that what comes once (the launch, the first
// accesses, the end) is not in it.
package calibrate
