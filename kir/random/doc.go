// Package random makes kernels at random, runs them on whatever runs kernels, and makes small those on which two
// disagree. It is for tests and for the program tests/fuzz.
//
// Start with [New], which gives a [Kernel]; [Kernel.Check] compares runners on it, [Shrink] makes a kernel smaller that
// fails. Every kernel ends, touches only its own memory, and gives the same result in whatever order its threads run: a
// thread writes only its own elements, what others wrote is read behind a barrier, and atomics are those whose order
// does not matter.
package random
