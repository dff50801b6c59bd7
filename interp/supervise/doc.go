// Package supervise runs code of cells and knows what goes on for them: which goroutines are whose, what they wait for,
// what they have opened, started, printed and left behind, and how much memory and stack they take. It ends what an
// interrupt, a limit or a request to end a job is for, and nothing else.
//
// Start with [Supervisor], one for each session, and [Run], one for each execution of a cell: Launch, Main, Wait and
// Outlive are its way. [Supervisor.Hooks] is what running code calls: polls, sleeps, go statements, and the functions
// that stand in for compiled ones, which would otherwise wait without an end, end the process, or keep what they open
// to themselves.
//
// crew.go has the goroutines of one go statement, found by their labels; abandoned.go those of halted runs; opened*.go
// what is open without a goroutine; jobs.go what cells have left; watch.go, memory.go and endlesswaits.go look at
// running cells from outside; locks.go and conds.go let waits be interrupted; panics.go makes errors of panics.
//
// The package knows nothing of names, types, texts of cells or results: it gets compiled code and gives errors.
package supervise
