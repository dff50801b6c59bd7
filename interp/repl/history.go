package repl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"src.elv.sh/pkg/cli/modes"
	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/cli/tk"
	"src.elv.sh/pkg/ui"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// maxHistory is how many cells are remembered; a file holds up to twice as many before it is cut.
const maxHistory = 20000

// history is the cells of this session and, from a file, of earlier ones, oldest first.
type history struct {
	file  string // "" keeps none
	cells []string
}

// entry is a line of the history file.
type entry struct {
	Time time.Time `json:"datetime"`
	Cell string    `json:"block"`
}

// openHistory reads the history. With an error it is one that can be used but is not kept.
func openHistory(file string) (*history, error) {
	h := &history{}
	if file == "" {
		return h, nil
	}
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return h, fmt.Errorf("%s is not a regular file", file)
	}
	data, err := budget.ReadFile(file, "the history", budget.SourceFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return h, err
	}
	in := bufio.NewReader(bytes.NewReader(data))
	lines := 0
	for err = nil; err == nil; lines++ {
		var line []byte
		var e entry
		line, err = in.ReadBytes('\n')
		if json.Unmarshal(line, &e) == nil { // a line that was cut short is lost, the others are not
			h.remember(e.Cell)
		}
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return h, err
	}
	f.Close()
	h.file = file
	if lines > 2*maxHistory {
		return h, h.rewrite()
	}
	return h, nil
}

// remember appends a cell unless it is the last one again.
func (h *history) remember(cell string) bool {
	if cell = strings.TrimSpace(cell); cell == "" || len(h.cells) > 0 && h.cells[len(h.cells)-1] == cell {
		return false
	}
	h.cells = append(h.cells, cell)
	if len(h.cells) > maxHistory {
		h.cells = h.cells[1:]
	}
	return true
}

// add remembers a cell, in the file too. After an error the file is left alone.
func (h *history) add(cell string) error {
	if !h.remember(cell) || h.file == "" {
		return nil
	}
	f, err := os.OpenFile(h.file, os.O_WRONLY|os.O_APPEND, 0o600)
	if err == nil {
		err = write(f, h.cells[len(h.cells)-1])
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		h.file = ""
	}
	return err
}

func write(w io.Writer, cell string) error {
	line, err := json.Marshal(entry{time.Now(), cell})
	if err == nil {
		_, err = w.Write(append(line, '\n')) // in one piece: other sessions append too
	}
	return err
}

// rewrite makes the file hold what is remembered.
func (h *history) rewrite() error {
	var b bytes.Buffer
	for _, c := range h.cells {
		if err := write(&b, c); err != nil {
			return err
		}
	}
	return replace.Bytes(h.file, b.Bytes())
}

// matching returns the cells that contain all words of the query, whatever their case, each once where it was last.
func (h *history) matching(query string) []string {
	words := strings.Fields(strings.ToLower(query))
	seen := map[string]bool{}
	var found []string
next:
	for i := len(h.cells) - 1; i >= 0; i-- {
		if seen[h.cells[i]] {
			continue
		}
		seen[h.cells[i]] = true
		lower := strings.ToLower(h.cells[i])
		for _, w := range words {
			if !strings.Contains(lower, w) {
				continue next
			}
		}
		found = append(found, h.cells[i])
	}
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

// walk is a way through the history, among the cells that begin with what had been typed before it began.
type walk struct {
	on    bool
	draft tk.CodeBuffer // what had been typed
	at    int           // index of the cell shown; past the last for the draft
	shown string
}

// previous shows the cell before, next the one after, in the end what had been typed.
func (e *editor) previous(code tk.CodeArea) { e.step(code, -1) }
func (e *editor) next(code tk.CodeArea)     { e.step(code, +1) }

func (e *editor) step(code tk.CodeArea, by int) {
	w, cells := &e.walk, e.history.cells
	code.MutateState(func(s *tk.CodeAreaState) {
		if !w.on || s.Buffer.Content != w.shown { // edited since: begin anew
			*w = walk{on: true, draft: s.Buffer, at: len(cells)}
		}
		for at := w.at + by; at >= 0 && at <= len(cells); at += by {
			if at == len(cells) {
				w.at, s.Buffer = at, w.draft
				break
			}
			if text := spaces(cells[at]); strings.HasPrefix(text, w.draft.Content) && text != s.Buffer.Content {
				w.at, s.Buffer = at, tk.CodeBuffer{Content: text, Dot: len(text)}
				break
			}
		}
		w.shown = s.Buffer.Content
	})
}

// up moves within the cell, and from its first line to the cell before.
func (e *editor) up(code tk.CodeArea) {
	if b := code.CopyState().Buffer; strings.Contains(b.Content[:b.Dot], "\n") {
		code.MutateState(func(s *tk.CodeAreaState) { s.Buffer.Dot = up(b.Content, b.Dot) })
		return
	}
	e.previous(code)
}

// down moves within the cell, and from its last line to the cell after.
func (e *editor) down(code tk.CodeArea) {
	if b := code.CopyState().Buffer; strings.Contains(b.Content[b.Dot:], "\n") {
		code.MutateState(func(s *tk.CodeAreaState) { s.Buffer.Dot = down(b.Content, b.Dot) })
		return
	}
	e.next(code)
}

// searchHeight is how many cells a search shows at once.
const searchHeight = 9

// search lists the history; what is typed narrows it, Enter takes the selected cell into the editor.
func (e *editor) search(code tk.CodeArea) {
	var list modes.Listing
	pick := func(f func(tk.ListBoxState) int) func(tk.Widget) { return func(tk.Widget) { list.ListBox().Select(f) } }
	list, err := modes.NewListing(e.app, modes.ListingSpec{
		Caption: " history: words to look for; Enter takes, Esc leaves ",
		Bindings: tk.MapBindings{
			term.K('R', ui.Ctrl): pick(tk.Prev), term.K('P', ui.Ctrl): pick(tk.Prev),
			term.K('S', ui.Ctrl): pick(tk.Next), term.K('N', ui.Ctrl): pick(tk.Next),
			term.K(ui.PageUp): pick(tk.PrevPage), term.K(ui.PageDown): pick(tk.NextPage),
		},
		GetItems: func(query string) ([]modes.ListingItem, int) {
			var items []modes.ListingItem
			for _, c := range e.history.matching(query) {
				items = append(items, modes.ListingItem{ToAccept: c, ToShow: ui.T(strings.ReplaceAll(spaces(c), "\n", " ⏎ "))})
			}
			return items, len(items) - 1
		},
		Accept: func(cell string) {
			cell = spaces(cell)
			code.MutateState(func(s *tk.CodeAreaState) { s.Buffer = tk.CodeBuffer{Content: cell, Dot: len(cell)} })
		},
	})
	if err == nil {
		e.app.PushAddon(low{list, searchHeight + 1})
	}
}

// low is a widget that does not take the whole screen.
type low struct {
	tk.Widget
	height int
}

// MaxHeight is the height that the widget asks for. In one line a list would hide what is looked for.
func (l low) MaxHeight(width, height int) int {
	return max(2, min(l.height, l.Widget.MaxHeight(width, height)))
}
