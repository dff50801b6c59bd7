// Package docs holds what cells can read about packages: declarations as they were written, with parameter names, and
// doc comments. A session answers completion and inspection from it on machines that have no Go toolchain.
//
// Start with [Load]. A documented package is one text in the format of golang.org/x/tools/txtar: its comment is the
// package's doc comment, and each file in it is a declaration as `go doc` prints it, filed under the names that it
// declares. [Format] writes such a text; [Std] has those of Go's standard library.
//
// The package knows nothing of sessions, and nothing of the packages that it documents.
package docs

//go:generate go run ./internal/gen
