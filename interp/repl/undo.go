package repl

import (
	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/cli/tk"
)

// undos are the earlier states of a cell under edit.
type undos struct {
	states []tk.CodeBuffer
	typing bool // the last key was a character of a word
}

// note remembers the state before an event, but not within a word that is being typed.
func (u *undos) note(b tk.CodeBuffer, event term.Event) {
	k, isKey := event.(term.KeyEvent)
	typing := isKey && k.Mod == 0 && k.Rune >= 0 && isWord(k.Rune)
	if n := len(u.states); (n == 0 || u.states[n-1].Content != b.Content) && !(typing && u.typing) {
		u.states = append(u.states, b)
	}
	u.typing = typing
}

// undo goes back to the state before the last change.
func (e *editor) undo(code tk.CodeArea) {
	code.MutateState(func(s *tk.CodeAreaState) {
		for n := len(e.undos.states); n > 0; n = len(e.undos.states) {
			last := e.undos.states[n-1]
			e.undos.states = e.undos.states[:n-1]
			if last.Content != s.Buffer.Content {
				s.Buffer = last
				return
			}
		}
	})
}
