// Package cpu runs kernels of kir exactly on the CPU, block by block, all threads of a block side by side.
//
// Start with [Compile], which gives a [Program], and [Program.Run], which executes a [Launch] on [Memory]. What a
// timing model needs of a run, the engine tells a [Recorder]: which threads went through which basic block, and the
// addresses that they touched. [Watch] tells where a running launch is. [Evaluate] computes one value by the engine's
// own function for it.
//
// The package rewrites nothing (kir/opt does) and knows no devices and no time.
package cpu
