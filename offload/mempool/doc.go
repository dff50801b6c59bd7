// Package mempool gives out a device's memory from a pool, so that most allocations and frees are a search of a list
// and not a call of the driver, which on a GPU takes some thousand times as long and waits for all that runs.
//
// A [Pool] sets memory aside in large pieces and cuts blocks of them: the best fit, aligned to 256 bytes, joined with
// its neighbours when it is freed. It is ordered by streams, as RAPIDS's memory manager and CUDA's own pools are: a
// block that is freed on a stream can be used again on that stream at once, though what was queued before still reads
// it, and on another after that stream has waited. [Stats] says how much is in use, was at most, and is set aside.
//
// Start with pool.go. The package knows nothing of values or arrays.
package mempool
