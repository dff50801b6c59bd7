// Package samples has the programs of ../before on arrays that run on a device and may be larger than its memory;
// docs/offload.md shows every line in which they differ.
package samples
