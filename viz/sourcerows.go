package viz

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// maxLines is how many lines of a kernel are drawn at most: those that cost the most.
const maxLines = 44

// sourceRow is a line of the chart: its text, what it cost, and the operations that it stands for.
type sourceRow struct {
	text string
	trace.Line
	operations []string
}

// byOperation has a row for each operation.
func byOperation(lines []trace.Line) (rows []sourceRow) {
	for _, l := range lines {
		rows = append(rows, sourceRow{operationText(l), l, []string{operationOf(l)}})
	}
	return rows
}

// bySource has a row for each line of the source, in its order, or for each array operation.
func bySource(lines []trace.Line) (rows []sourceRow) {
	at := map[string]int{}
	for _, l := range lines {
		text := lineTitle(l)
		i, ok := at[text]
		if !ok {
			i = len(rows)
			at[text] = i
			rows = append(rows, sourceRow{text: text, Line: trace.Line{Pos: l.Pos, Source: l.Source}})
		}
		r := &rows[i]
		r.operations = append(r.operations, operationOf(l))
		r.Issued += l.Issued
		r.Lanes += l.Lanes
		r.Requests += l.Requests
		r.Sectors += l.Sectors
		r.Transactions += l.Transactions
		r.Bytes += l.Bytes
		r.L1Hits += l.L1Hits
		r.Conflicts += l.Conflicts
		r.Branches += l.Branches
		r.Parted += l.Parted
	}
	slices.SortStableFunc(rows, func(a, b sourceRow) int { return cmp.Compare(lineNumber(a.Pos), lineNumber(b.Pos)) })
	return rows
}

// lineNumber is the line of a position; 0 of none.
func lineNumber(pos string) int {
	if m := wholePos.FindStringSubmatch(pos); m != nil {
		n, _ := strconv.Atoi(m[2])
		return n
	}
	return 0
}

var (
	input    = lazyregexp.New(`^x\d+\[i\]$`)
	floating = lazyregexp.New(`^v\d+ [fb]f?\d+ = `)
	inBlock  = lazyregexp.New(`^(?:store|v\d+ \S+ = (?:load|atomic\S*)) shared|^barrier|^v\d+ \S+ = shfl`)
	special  = lazyregexp.New(`^n?(?:c?tai?d|laneid|warpid)`)
)

// lineTitle names the line of a person's program that an operation belongs to: of the Go function, or the operation on
// arrays; what serves all of those has a name in words.
func lineTitle(l trace.Line) string {
	switch {
	case l.Source != "":
		return shortPos(l.Pos) + "  " + strings.TrimSpace(l.Source)
	case l.Pos != "":
		return shortPos(l.Pos)
	case input.MatchString(l.Note):
		return "read " + l.Note
	case l.Note != "" && !special.MatchString(l.Note):
		return l.Note
	case strings.HasPrefix(l.Text, "store global"):
		return "write the result"
	case inBlock.MatchString(l.Text):
		return "combine the block's threads"
	case floating.MatchString(l.Text):
		return "combine elements"
	}
	return "indices and loops"
}

// operationOf is an operation as tips have it.
func operationOf(l trace.Line) string {
	s := fmt.Sprintf("b%d  %s", l.Block, l.Text)
	if l.Note != "" {
		s += "  // " + l.Note
	}
	return s
}

// stepText is an operation as the player has it: what a person wrote says more, where that is at hand.
func stepText(l trace.Line) string {
	if l.Source != "" {
		return cutTo(46, lineTitle(l))
	}
	return cutTo(46, operationText(l))
}

// costly returns the lines to draw, in the order of the code.
func costly(lines []sourceRow) []sourceRow {
	if len(lines) <= maxLines {
		return lines
	}
	at := make([]int, len(lines))
	for i := range at {
		at[i] = i
	}
	sort.SliceStable(at, func(i, j int) bool { return lines[at[i]].Issued > lines[at[j]].Issued })
	at = at[:maxLines]
	sort.Ints(at)
	out := make([]sourceRow, maxLines)
	for i, k := range at {
		out[i] = lines[k]
	}
	return out
}

// operationText is an operation as it stands beside its bars.
func operationText(l trace.Line) string {
	s := fmt.Sprintf("b%d  %s", l.Block, l.Text)
	if l.Pos != "" {
		s = shortPos(l.Pos) + "  " + l.Text
	}
	if l.Note != "" {
		s += "  // " + l.Note
	}
	return s
}

func cutTo(n int, s string) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

var wholePos = lazyregexp.New(`^(?:.*[/\\])?(.*?)(?:, line |:)(\d+)(?:(?:, column |:)\d+)?$`)

// shortPos is a position without folders and column: "cell 3:12", "saxpy.go:12".
func shortPos(pos string) string {
	if m := wholePos.FindStringSubmatch(pos); m != nil {
		return m[1] + ":" + m[2]
	}
	return pos
}
