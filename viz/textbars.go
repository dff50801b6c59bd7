package viz

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/kernel/display"
)

// blocks are eighths of a character, from the left.
var blocks = []rune(" ▏▎▍▌▋▊▉█")

// largest returns the largest of vals that is a number, or 0.
func largest(vals []float64) (most float64) {
	for _, v := range vals {
		if v > most && finite(v) {
			most = v
		}
	}
	return most
}

// bins writes a histogram from the first bin to the last, named by their lower ends. Of many bins neighbours are
// added up: its tails are what one looks for.
func (t *textForm) bins(s Series) {
	bins := s.Boxes
	together := (len(bins) + 2*t.height - 1) / (2 * t.height)
	var names []string
	var counts []float64
	for part := range slices.Chunk(bins, max(together, 1)) {
		n := 0.0
		for _, bin := range part {
			n += bin.Y1
		}
		names, counts = append(names, number(part[0].X0)), append(counts, n)
	}
	t.bars(names, counts, []string{s.Color}, largest(counts))
	if together > 1 {
		said := fmt.Sprintf("Each line is %d of the %d bins, up to %s.", together, len(bins), number(bins[len(bins)-1].X1))
		if rest := len(bins) % together; rest > 0 {
			said = fmt.Sprintf("Each line is %d of the %d bins, the last %d, up to %s.", together, len(bins), rest, number(bins[len(bins)-1].X1))
		}
		t.line(said)
	}
}

// bars writes one horizontal bar a line, most being a full one; of many, the first. The last colour is that of all that
// follow.
func (t *textForm) bars(names []string, vals []float64, colors []string, most float64) {
	wide, said := 0, 0
	for i := range vals {
		wide, said = max(wide, utf8.RuneCountInString(names[i])), max(said, len(shortNumber(vals[i])))
	}
	full := textWidth - 20
	if display.CurrentScreen().Columns > 0 {
		full = min(plotWidth(wide+said+3), textWidth)
	}
	for i, v := range vals {
		if i == 2*t.height && len(vals) > 2*t.height+1 {
			fmt.Fprintf(t, "… %d more\n", len(vals)-2*t.height)
			return
		}
		eighths := 0
		if v > 0 && finite(v) {
			eighths = int(math.Round(v / most * 8 * float64(full)))
		}
		bar := strings.Repeat("█", eighths/8)
		if eighths%8 > 0 {
			bar += string(blocks[eighths%8])
		}
		fmt.Fprintf(t, "%*s %s %s\n", wide, names[i], t.paint(colors[min(i, len(colors)-1)], bar), shortNumber(v))
	}
}
