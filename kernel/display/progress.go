package display

import (
	"fmt"
	"html"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// progressEvery is how often a progress bar is drawn at most: a person sees no more, and a loop of a million steps must
// not become a million messages.
const progressEvery = 100 * time.Millisecond

// barCells is the length of the bar in text.
const barCells = 24

// Progress is a bar that shows how far long work has come, in place. It may be used from several goroutines.
type Progress struct {
	mu    sync.Mutex
	label string
	total int
	n     int
	id    string
	begun time.Time
	drawn time.Time // when last; zero before the first time
	ended bool

	passing bool // it disappears at its end
	rate    bool // it says how many steps a second are done; a total below 0 is not known
}

// NewProgress begins a progress bar for total steps. Nothing is shown until the first step, nor when the work is over
// sooner than a person would see.
func NewProgress(label string, total int) *Progress {
	return &Progress{label: label, total: total, id: NewID(), begun: time.Now()}
}

// NewPassing is NewProgress for a bar that disappears when the work is over: for work that was asked for by the way.
func NewPassing(label string, total int) *Progress {
	p := NewProgress(label, total)
	p.passing = true
	return p
}

// NewTracker is NewProgress with the number of steps a second, for a total that may be unknown: -1.
func NewTracker(label string, total int) *Progress {
	p := NewProgress(label, total)
	p.rate = true
	return p
}

// Add says that n more steps are done.
func (p *Progress) Add(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(p.n + n)
}

// Set says that n steps are done in all.
func (p *Progress) Set(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(n)
}

// Done ends the bar and leaves its last state.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.ended {
		p.ended = true
		p.draw()
	}
}

// set stores n and draws when it is time to. The last step always is drawn.
func (p *Progress) set(n int) {
	if p.ended {
		return
	}
	p.n = max(n, 0)
	if p.total >= 0 {
		p.n = min(p.n, p.total)
	}
	if p.passing && p.n == p.total {
		return // until Done
	}
	last := p.drawn
	if last.IsZero() {
		last = p.begun
	}
	if p.n == p.total {
		p.ended = true
		p.draw()
	} else if time.Since(last) >= progressEvery {
		p.draw()
	}
}

// draw shows the state: in place where the client can, on the same line of a terminal, and elsewhere only the end.
func (p *Progress) draw() {
	first := p.drawn.IsZero()
	if p.passing && p.ended {
		p.remove(first)
		return
	}
	pub := current()
	r, inPlace := pub.(Rewriter)
	l, lines := pub.(Liner)
	if Reproducible() && !lines {
		return // whether there is a bar, and what it says, is this machine's clock's
	}
	p.drawn = time.Now()
	line := p.text(time.Since(p.begun))
	switch {
	case lines && l.DrawLine(line, p.ended):
	case inPlace && first:
		r.PublishAs(p.id, p.bundle(line))
	case inPlace:
		r.Replace(p.id, p.bundle(line))
	case onTerminal():
		fmt.Fprint(os.Stderr, "\r\x1b[K"+line)
		if p.ended {
			fmt.Fprintln(os.Stderr)
		}
	case p.ended && pub != nil:
		pub.Publish(Text(line))
	}
}

// remove takes the bar away, if it has been drawn.
func (p *Progress) remove(never bool) {
	r, inPlace := current().(Rewriter)
	l, lines := current().(Liner)
	switch {
	case never:
	case lines && l.DrawLine("", true):
	case inPlace:
		r.Replace(p.id, Text(""))
	case onTerminal():
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}

// onTerminal reports whether standard error is a terminal.
func onTerminal() bool {
	info, err := os.Stderr.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// rateText is a rate of three digits, as a person writes it: 0.052, 3.4, 22000.
func rateText(r float64) string {
	if r >= 100 {
		digits := math.Pow(10, math.Floor(math.Log10(r))-2)
		return strconv.FormatFloat(math.Round(r/digits)*digits, 'f', 0, 64)
	}
	return strconv.FormatFloat(r, 'g', 3, 64)
}

// text is the bar after so long. In a terminal it is short enough for a line: what is longer could not be drawn over.
func (p *Progress) text(took time.Duration) string {
	if p.total < 0 {
		return strings.TrimSpace(fmt.Sprintf("%s %d, %v, %s/s", p.label, p.n, round(took), rateText(float64(p.n)/max(took.Seconds(), 1e-9))))
	}
	done := 1.0
	if p.total > 0 {
		done = float64(p.n) / float64(p.total)
	}
	before, after := fmt.Sprintf("%s %3.0f%%", p.label, 100*done), fmt.Sprintf("%d/%d", p.n, p.total)
	switch {
	case p.n == p.total || p.ended:
		after += fmt.Sprintf(", %v", round(took))
	case p.n > 0:
		after += fmt.Sprintf(", %v left", round(time.Duration(float64(took)*(1-done)/done)))
	}
	if p.rate && p.n > 0 && took > 0 {
		after += ", " + rateText(float64(p.n)/took.Seconds()) + "/s"
	}
	cells := barCells
	if columns := CurrentScreen().Columns; columns > 0 {
		cells = min(cells, columns-1-len(" [] ")-utf8.RuneCountInString(before+after))
		if cells < 1 {
			return short(strings.TrimSpace(before+" "+after), columns-1)
		}
	}
	full := int(done * float64(cells))
	return strings.TrimSpace(fmt.Sprintf("%s [%s%s] %s", before, strings.Repeat("█", full), strings.Repeat("·", cells-full), after))
}

func round(d time.Duration) time.Duration {
	if d < 10*time.Second {
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}

func (p *Progress) bundle(line string) Bundle {
	b := Text(line)
	_, numbers, _ := strings.Cut(line, "] ")
	if p.total < 0 {
		b.Data[TypeHTML] = `<label style="font-variant-numeric:tabular-nums">` + html.EscapeString(line) + "</label>"
		return b
	}
	value := "" // none: that it goes on is all that is known
	if p.n > 0 {
		value = fmt.Sprintf(`value="%d" `, p.n)
	}
	b.Data[TypeHTML] = fmt.Sprintf(`<label>%s <progress max="%d" %sstyle="width:16em;vertical-align:middle"></progress> <span style="font-variant-numeric:tabular-nums">%s</span></label>`,
		html.EscapeString(p.label), max(p.total, 1), value, html.EscapeString(numbers))
	return b
}
