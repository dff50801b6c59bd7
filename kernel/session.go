package kernel

import (
	"context"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// Session is what the kernel asks of a language: run cells that share their variables, and answer questions about them.
// All methods may be called while a cell runs; Execute too when a client opens subshells.
type Session interface {
	// Language describes what cells are written in.
	Language() Language

	// Execute runs one cell and returns the bundle of its last expression (empty when there is none to show).
	// Everything the cell displays or prints on its way goes to out. When ctx is cancelled (an interrupt) Execute
	// returns soon after, with variables kept. A cell that fails returns a *CellError; any other error is the session's
	// own failure.
	Execute(ctx context.Context, cell Cell, out Output) (display.Bundle, error)

	// Complete proposes what may stand at cursor, a position in Unicode code points.
	Complete(code string, cursor int) Completion

	// Inspect documents the name at cursor, a position in Unicode code points; ok is false when nothing is known of it.
	// Detail 1 asks for more than detail 0.
	Inspect(code string, cursor, detail int) (b display.Bundle, ok bool)

	// IsComplete says whether code can run as it stands.
	IsComplete(code string) Completeness
}

// Contexter is a Session that knows which cell the calling goroutine belongs to: Context is the one that Execute got,
// or one with its values, also after the cell has ended. What a goroutine shows then goes to its own cell.
type Contexter interface{ Context() context.Context }

// Reader is a Session that knows whose goroutines wait in reads of files: Reading returns contexts with the values of
// those that their cells got. What is typed then goes to a cell that runs, and to no goroutine that an earlier one has
// left.
type Reader interface{ Reading() []context.Context }

// Redirector is a Session whose code can write somewhere else than to the file descriptors 1 and 2: from Redirect on,
// what Go code of a cell writes to a standard stream, "stdout" or "stderr", goes to write with the context of its cell.
// What does not, such as the output of C code, goes to the file descriptors.
type Redirector interface {
	Redirect(write func(ctx context.Context, stream string, text []byte) error)
}

// Namer is a Session that can list its variables.
type Namer interface{ Variables() []string }

// Caller is a Session that can run a function as it runs a cell: interrupted, and with its panics taken. What a client
// sends to widgets is answered so.
type Caller interface {
	Call(ctx context.Context, f func()) error
}

// Language is the part of kernel_info_reply that describes the language.
type Language struct {
	Name, Version, MIMEType, FileExtension string // as in language_info
	PygmentsLexer, CodeMirrorMode          string
	Banner                                 string
	Help                                   []HelpLink // for the client's menu
	// further fields of language_info; clients save them with the notebook
	More map[string]any
}

// HelpLink is an address that a client offers in its menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Cell is one execution request.
type Cell struct {
	Code  string
	Count int    // the number in In[Count]
	ID    string // stays with the cell when it is run again; "" when the client does not tell

	// a question of the client's that no history keeps: what it gives is not an earlier result for later cells
	Transient bool
}

// Output is where a running cell's outputs go, in order.
type Output interface {
	Display(display.Bundle)
	Stream(name, text string) // name is "stdout" or "stderr"
	// Input asks the client for a line; it fails when the client does not allow it.
	Input(prompt string, password bool) (string, error)
}

// CellError is the failure of a cell, as an `error` output shows it.
type CellError struct {
	Name      string   // the kind: "CompileError", "panic", "Interrupted", …
	Value     string   // one line
	Traceback []string // lines to show, coloured with ANSI escapes
}

func (e *CellError) Error() string { return e.Name + ": " + e.Value }

// Completion is the answer to Complete: each of Matches may replace the code points Start to End.
type Completion struct {
	Matches    []string
	Types      []string // beside Matches where known ("function", "variable", "package", …), or nil
	Signatures []string // beside Matches: their declarations in one line, or nil
	Docs       []string // beside Matches: the first sentence of their comments, or nil
	Start, End int
}

// Completeness is the answer to IsComplete.
type Completeness struct {
	Status string // "complete", "incomplete", "invalid" or "unknown"
	Indent string // for "incomplete": what the next line begins with
}
