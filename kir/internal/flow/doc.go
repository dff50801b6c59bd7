// Package flow has the algorithms on control-flow graphs that kernels are verified, rewritten and scheduled by: orders,
// dominators, loops, and where the threads of a warp may wait for each other. A graph is the list of successors of each
// node; the package does not know what a node is.
package flow
