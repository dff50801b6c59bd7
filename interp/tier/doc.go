// Package tier runs numeric code of cells fast: functions, closures and loops whose values are booleans, numbers,
// strings, slices, arrays, structs and pointers to these.
//
// It takes functions in go/ssa form. What qualifies becomes compact code over registers without boxes: words in one
// window, pointers in another that the garbage collector sees. [Program.Function] and [Program.Loop] compile;
// [Unit.Run] runs.
//
// The engine that runs everything else stands behind [Engine]. Calls cross the border both ways: an instruction that
// the tier has no operation for is executed by the engine on a frame of its own, which is made when it is first needed,
// and so are panics, whose traces are the engine's. A loop ends by putting what it has computed into the engine's
// registers.
//
// The package knows go/ssa, and nothing of cells, sessions or the engine.
package tier

//go:generate go run ./internal/gen
