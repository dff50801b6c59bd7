// Package paging makes kernels fetch by themselves what they touch of memory that is not there: a file's, whose lines a
// cache in the memory of the device holds. It is for cards, whose engine cannot be asked to do it: [Lower] writes the
// look into the kernel, before each load, store and atomic that may be to such memory.
//
// The state machine is BaM's (Qureshi and others, ASPLOS 2023), as that of offload/storage's Cache: a word for each
// line with its references, which lock it against eviction, and a hand that goes round the slots. What only the host
// can do, to read a line of the file and to write one back, goes through a ring of words in memory of the host, which
// both see: a thread that has a slot asks, the host answers in a word of the slot's own. No word is written by both.
//
// Start with [Lower] and with the layout in layout.go, which the host keeps.
package paging
