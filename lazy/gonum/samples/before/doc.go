// Package samples has three programs on gonum. Those of ../after are the same on arrays that may be larger than a
// device's memory; docs/offload.md shows every line in which they differ.
package samples
