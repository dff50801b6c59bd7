package interp

import "github.com/arrayrepl/arrayrepl/interp/cellerror"

// Error is the failure of a cell. The session goes on with its variables.
type Error = cellerror.Error

// Diagnostic is one compile error.
type Diagnostic = cellerror.Diagnostic

// Kinds of Error.
const (
	CompileError = cellerror.CompileError // the cell was not run; Diagnostics says why
	Panic        = cellerror.Panic        // the cell, or a goroutine of it, panicked
	Interrupted  = cellerror.Interrupted  // the cell's context ended
	Exit         = cellerror.Exit         // the cell called os.Exit, log.Fatal or runtime.Goexit
	MemoryLimit  = cellerror.MemoryLimit  // the cell took more memory than Session.SetMemoryLimit allows
	StackLimit   = cellerror.StackLimit   // the cell's calls were nested too deep
	CheckFailed  = cellerror.CheckFailed  // the cell has called t, or an assertion with it, that failed
	EngineError  = cellerror.EngineError  // the engine could not compile what the checker accepted
)

// MaxDiagnostics bounds how many compile errors are shown.
const MaxDiagnostics = cellerror.MaxDiagnostics
