package repl

import (
	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/cli/tk"
	"src.elv.sh/pkg/ui"
)

// moveKeys move the cursor.
var moveKeys = map[term.Event]move{
	term.K(ui.Left):           left,
	term.K('B', ui.Ctrl):      left,
	term.K(ui.Right):          right,
	term.K('F', ui.Ctrl):      right,
	term.K(ui.Home):           lineStartOrCode,
	term.K('A', ui.Ctrl):      lineStartOrCode,
	term.K(ui.End):            lineEnd,
	term.K('E', ui.Ctrl):      lineEnd,
	term.K(ui.Left, ui.Ctrl):  wordLeft,
	term.K(ui.Left, ui.Alt):   wordLeft,
	term.K('b', ui.Alt):       wordLeft,
	term.K(ui.Right, ui.Ctrl): wordRight,
	term.K(ui.Right, ui.Alt):  wordRight,
	term.K('f', ui.Alt):       wordRight,
	term.K(ui.Home, ui.Ctrl):  textStart,
	term.K('<', ui.Alt):       textStart,
	term.K(ui.End, ui.Ctrl):   textEnd,
	term.K('>', ui.Alt):       textEnd,
}

// deleteKeys delete what lies between the cursor and the place that they would move it to.
var deleteKeys = map[term.Event]move{
	term.K(ui.Backspace): erase,
	term.K('H', ui.Ctrl): erase,
	term.K(ui.Delete):    right,
}

// killKeys delete likewise, and Ctrl-Y brings back what they took.
var killKeys = map[term.Event]move{
	term.K('K', ui.Ctrl):         lineEnd,
	term.K('U', ui.Ctrl):         lineStart,
	term.K('W', ui.Ctrl):         blankLeft,
	term.K(ui.Backspace, ui.Alt): wordLeft,
	term.K('d', ui.Alt):          wordRight,
}

// commandKeys do the rest. It is a function because commands lead back to it.
func commandKeys() map[term.Event]func(*editor, tk.CodeArea) {
	return map[term.Event]func(*editor, tk.CodeArea){
		term.K(ui.Enter):         (*editor).enter,
		term.K(ui.Enter, ui.Alt): (*editor).newLine,
		term.K('M', ui.Alt):      (*editor).newLine, // Alt-Enter where the terminal sends a carriage return for Enter
		term.K(ui.Tab):           (*editor).complete,
		term.K(ui.Tab, ui.Shift): (*editor).describe,
		term.K(ui.F1):            (*editor).describe,
		term.K(ui.Up):            (*editor).up,
		term.K(ui.Down):          (*editor).down,
		term.K('P', ui.Ctrl):     (*editor).previous,
		term.K('N', ui.Ctrl):     (*editor).next,
		term.K(ui.PageUp):        (*editor).previous,
		term.K(ui.PageDown):      (*editor).next,
		term.K('R', ui.Ctrl):     (*editor).search,
		term.K('Y', ui.Ctrl):     (*editor).yank,
		term.K('/', ui.Ctrl):     (*editor).undo,
		term.K('z', ui.Alt):      (*editor).undo,
		term.K('L', ui.Ctrl):     (*editor).clear,
		term.K('D', ui.Ctrl):     (*editor).leaveOrDelete,
		term.K('}'):              closeWith("}"),
		term.K(')'):              closeWith(")"),
		term.K(']'):              closeWith("]"),
		pasteEvent:               (*editor).insertPaste,
	}
}
