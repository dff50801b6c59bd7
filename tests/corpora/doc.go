// Package corpora runs the tests and examples of public modules in sessions, and compares the results with those of go
// test.
//
// pinned has a go.mod of its own with the modules and their versions. expected.txt lists what differs, with the reason.
// The test fetches through the go command, and is skipped with a reason where that cannot be done. make test-corpora
// runs it.
package corpora
