// Package symbols makes the project's packages known to the interpreter's engine: what cells see as np, viz, display
// and so on. It is imported by the command alone.
//
// Start with [Register] and [Packages]; the table itself is in internal/table. The zz_ files are written by go generate
// from the packages' exported names: types, functions, variables and constants. Generic functions cannot be registered,
// as compiled code has no instance of them; the generator leaves a comment for each. The folder docs has the packages'
// documentation, for package interp/docs.
//
// The package holds no code of its own: what a name does is its package's business.
package symbols

//go:generate go run ./internal/gen
//go:generate go run ./internal/wrappers
