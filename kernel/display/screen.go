package display

import "sync/atomic"

// Liner is a [Publisher] with a terminal in front of it.
type Liner interface {
	// DrawLine draws text in the place of the line that it drew last. With last the text stays, "" for nothing, and
	// what comes next stands below it. It reports false where nothing can be drawn.
	DrawLine(text string, last bool) bool
}

// TypeTerminal is a PNG picture made for the [Screen] in front of the session: its size, its background. It is shown
// there and kept nowhere.
const TypeTerminal = "application/x-terminal+png"

// Screen is the terminal in front of the session. The zero Screen is none: a notebook, a pipe, a file.
type Screen struct {
	Columns, Rows int // of characters
	// CellWidth and CellHeight are the size of a character in pixels where the terminal shows pictures, else 0.
	CellWidth, CellHeight int
	Dark                  bool // light text on a dark background
	Colors                bool // escape sequences that colour text are wanted
}

// Pictures reports whether the terminal shows pictures.
func (s Screen) Pictures() bool { return s.CellWidth > 0 && s.CellHeight > 0 }

var screen atomic.Pointer[Screen]

// SetScreen tells values that fit themselves to a terminal what it is like. The REPL calls it before each cell.
func SetScreen(s Screen) { screen.Store(&s) }

// CurrentScreen returns what was set.
func CurrentScreen() Screen {
	if s := screen.Load(); s != nil {
		return *s
	}
	return Screen{}
}
