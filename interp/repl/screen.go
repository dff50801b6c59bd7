package repl

import (
	"io"
	"strings"
	"sync"

	"src.elv.sh/pkg/cli"
	"src.elv.sh/pkg/ui"
)

// maxRecorded bounds how much printed text of one cell is kept for %save.
const maxRecorded = 1 << 20

// screen is where everything is shown. While a line is edited, text goes above it, in whole lines; else straight out.
type screen struct {
	out, err io.Writer

	mu      sync.Mutex
	editing cli.App // nil while no line is edited
	partial string  // the beginning of a line, written while another is edited
	drawn   bool    // the last line is one that is drawn over
	outputs []Output
	kept    int   // bytes of text in outputs
	lost    error // why something could not be shown
}

// print shows text among the results.
func (s *screen) print(text string) { s.show(s.out, text) }

// draw shows a picture among the results. It reports false while a line is edited, when none can go above it.
func (s *screen) draw(picture string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.editing != nil {
		return false
	}
	io.WriteString(s.out, picture)
	return true
}

// eraseLine empties the line of the cursor.
const eraseLine = "\r\x1b[K"

// line draws text over what it drew last, until something else is shown; last leaves it. It reports false while a line
// is edited: the terminal is the editor's then.
func (s *screen) line(text string, last bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.editing != nil {
		return false
	}
	if last && text != "" {
		text += "\n"
	}
	io.WriteString(s.out, eraseLine+text)
	s.drawn = !last
	return true
}

// complain shows text among the errors.
func (s *screen) complain(text string) { s.show(s.err, text) }

func (s *screen) show(w io.Writer, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.editing == nil {
		if s.drawn {
			io.WriteString(s.out, eraseLine)
			s.drawn = false
		}
		if _, err := io.WriteString(w, text); err != nil && s.lost == nil {
			s.lost = err
		}
		return
	}
	text = s.partial + text
	end := strings.LastIndexByte(text, '\n')
	s.partial = text[end+1:]
	if end >= 0 {
		s.editing.Notify(ui.ParseSGREscapedText(strings.NewReplacer("\t", tab, "\r", "").Replace(text[:end])))
	}
}

// stream takes what cells write, as the sink of a Capture.
func (s *screen) stream(name, text string) {
	s.record(Output{Stream: name, Text: text})
	s.print(text)
}

// edit makes the screen show text above the line that app edits; nil ends that. It must be called when the line is gone
// from the editor's hands.
func (s *screen) edit(app cli.App) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.editing != nil {
		for _, note := range s.editing.CopyState().Notes { // came after the last time the editor looked
			io.WriteString(s.out, note.String()+"\n")
		}
		io.WriteString(s.out, s.partial)
		s.partial = ""
	}
	s.editing = app
}

// failure is why something could not be shown, nil when all was.
func (s *screen) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// record keeps what the running cell gives; text joins the text before it when it is of the same stream.
func (s *screen) record(o Output) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept += len(o.Text); s.kept > maxRecorded && o.Text != "" {
		return
	}
	if n := len(s.outputs); n > 0 && o.Stream != "" && s.outputs[n-1].Stream == o.Stream {
		s.outputs[n-1].Text += o.Text
		return
	}
	s.outputs = append(s.outputs, o)
}

// recorded returns what the cell gave and begins anew.
func (s *screen) recorded() []Output {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.outputs
	s.outputs, s.kept = nil, 0
	return out
}
