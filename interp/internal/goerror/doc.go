// Package goerror makes the errors that Go's runtime panics with. Most of their types are not exported, and what
// recovers one asks for runtime.Error or *runtime.TypeAssertionError, prints %T, or compares texts: so they are made of
// real ones. It is a leaf below the engine of cells and its numeric tier, which find out what is wrong by themselves.
package goerror
