// Package nvme is storage as BaM's GPU threads reach it (Qureshi and others, ASPLOS 2023): queues of commands in
// memory, which many threads fill and empty with one small lock, and SSDs behind them. [Drive] has the queues at work
// on a real file; [Model] says how long what it was asked for would take on SSDs that are not there. Its times are a
// model's, from the figures of the paper and its artifact; nothing here measures a disk.
package nvme
