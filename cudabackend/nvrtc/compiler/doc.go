// Package compiler runs NVIDIA's runtime compiler (NVRTC) in a process of its own. Some sources crash it, or have it go
// too deep into itself, or take all memory; that must end no session.
//
// The process is this program again, with a variable in its environment: a program that is linked with this package
// becomes the compiler before its main begins, so that tests, go run and the REPL need nothing else. It is kept for the
// next source, and ends with the one that has started it. The package imports little, so that it is ready early.
package compiler
