package repl

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"src.elv.sh/pkg/cli/term"
	"src.elv.sh/pkg/ui"
)

// The questions to a terminal. It ignores those that it does not know; nearly every one knows the last, so that its
// answer says that no other will come.
const (
	// kitty's protocol: would a picture of one pixel be shown?
	askKitty      = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
	askBackground = "\x1b]11;?\x1b\\" // xterm: the background's colour
	askCell       = "\x1b[16t"        // xterm: the pixels of a character
	askAttributes = "\x1b[c"          // DEC: the primary device attributes; 4 is sixel
)

// answers is what a terminal has said about itself.
type answers struct {
	kitty, sixel          bool
	cellWidth, cellHeight int // in pixels; 0 when not said
	dark                  bool
}

// replies takes the answers out of what comes from the terminal. Nobody waits for them: the prompt comes at once, and
// what they say holds from then on.
type replies struct {
	answers
	until time.Time // after it, what looks like an answer is a person's doing
}

// replyPatience is how long answers may take. Over the slowest lines that people work on it is a second or two.
const replyPatience = 10 * time.Second

// maxReply bounds an answer, in characters.
const maxReply = 128

// ask sends questions.
func (r *replies) ask(out io.Writer, questions string) {
	if questions != "" {
		r.until = time.Now().Add(replyPatience)
		io.WriteString(out, questions)
	}
}

// take reports whether an event begins an answer, and reads the rest of it with next. The editor's reader knows none of
// these sequences: it gives their beginnings as errors or as keys that nobody presses, and the rest as text.
func (r *replies) take(event term.Event, err error, next func() (term.Event, error)) bool {
	if r.until.IsZero() || time.Now().After(r.until) {
		return false
	}
	switch {
	case event == term.K('_', ui.Alt):
		r.kitty = r.kitty || strings.HasPrefix(rest(next), "Gi=31;OK")
	case event == term.K(']', ui.Alt):
		r.background(rest(next))
	case err != nil && strings.HasSuffix(err.Error(), strconv.Quote("\x1b[?")):
		text := ""
		for range maxReply {
			r, ok := typed(next())
			if !ok || r == 'c' {
				break
			}
			text += string(r)
		}
		attributes := strings.Split(text, ";")
		for _, a := range attributes[min(1, len(attributes)):] { // the first is the terminal's class
			r.sixel = r.sixel || a == "4"
		}
		r.until = time.Time{}
	case err != nil:
		var seq string
		if _, quoted, ok := strings.Cut(err.Error(), ": "); ok {
			seq, _ = strconv.Unquote(quoted)
		}
		var h, w int
		if n, _ := fmt.Sscanf(seq, "\x1b[6;%d;%dt", &h, &w); n != 2 {
			return false
		}
		if 0 < w && w < 1000 && 0 < h && h < 1000 {
			r.cellWidth, r.cellHeight = w, h
		}
	default:
		return false
	}
	return true
}

// rest reads a string of the terminal to its end, which is ESC \ or, with some terminals, a bell.
func rest(next func() (term.Event, error)) string {
	text := ""
	for range maxReply {
		r, ok := typed(next())
		if !ok {
			break
		}
		text += string(r)
	}
	return text
}

// typed is the character that an event stands for.
func typed(event term.Event, err error) (rune, bool) {
	k, ok := event.(term.KeyEvent)
	return k.Rune, err == nil && ok && k.Mod == 0 && k.Rune > 0
}

// background understands "11;rgb:RRRR/GGGG/BBBB", with one to four digits a colour.
func (r *replies) background(text string) {
	_, colors, ok := strings.Cut(text, "rgb:")
	if !ok {
		return
	}
	var luma float64 // of ITU-R BT.601, 0 to 1
	parts := strings.Split(colors, "/")
	if len(parts) != 3 {
		return
	}
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		v, err := strconv.ParseUint(parts[i], 16, 16)
		if err != nil {
			return
		}
		luma += weight * float64(v) / float64(uint(1)<<(4*len(parts[i]))-1)
	}
	r.dark = luma < 0.5
}
