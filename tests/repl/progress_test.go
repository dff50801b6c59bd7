//go:build unix

package repl_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// drawn is what follows each time that a line is drawn anew, without times.
func drawn(sent, label string) (lines []string) {
	times := regexp.MustCompile(`, [0-9a-z.µ]+( left)?`)
	for _, s := range strings.Split(sent, "\r\x1b[K")[1:] {
		line, _, _ := strings.Cut(s, "\r\n")
		if strings.HasPrefix(line, label) {
			lines = append(lines, times.ReplaceAllString(line, ", TIME$1"))
		}
	}
	return lines
}

// A bar that a cell draws is drawn over in its line, keeps its end, and what comes after it stands below. The cell
// takes a step when the test lets it, and not before a bar may be drawn again.
func TestProgressIsDrawn(t *testing.T) {
	dir := t.TempDir()
	f := play(t, window, textTerminal, 0, nil)
	f.untilText("In [1]: ")
	f.enter(`bar := display.NewProgress("rows", 4); for i := range 4 { for { if _, err := os.Stat(fmt.Sprint("` + dir + `/", i)); err == nil { break }; time.Sleep(time.Millisecond) }; time.Sleep(120*time.Millisecond); bar.Add(1) }; fmt.Println("after it")`)
	want := []string{
		"rows  25% [██████··················] 1/4, TIME left",
		"rows  50% [████████████············] 2/4, TIME left",
		"rows  75% [██████████████████······] 3/4, TIME left",
		"rows 100% [████████████████████████] 4/4, TIME",
	}
	for i, line := range want {
		must(t, os.WriteFile(filepath.Join(dir, string(rune('0'+i))), nil, 0o644))
		f.until(line, func(s string) bool { return slices.Contains(drawn(s, "rows"), line) })
	}
	f.untilText("In [2]: ")
	if got := drawn(f.all(), "rows"); !slices.Equal(got, want) {
		t.Errorf("drawn:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if all := f.all(); !regexp.MustCompile(`4/4, [0-9a-z.µ]+\r\nafter it\r\n`).MatchString(all) {
		t.Errorf("what the cell prints afterwards is not below the bar:\n%q", all[strings.Index(all, "rows"):])
	}
	f.leave()
}

// The bar of a long evaluation disappears when that is over, here by Ctrl-C: nothing but the error is left, and which
// kernel ran if one did.
func TestProgressOfAnEvaluation(t *testing.T) {
	testsize.InTurn(t, 2)
	f := play(t, window, textTerminal, 0, nil)
	f.untilText("In [1]: ")
	f.enter(`x := np.Linspace(0, 1, 20_000_000); for range 1000 { x = np.Sin(x) }; np.Sum(x)`) // minutes
	f.until("a bar", func(s string) bool { return len(drawn(s, "computing on ")) > 0 })
	f.pty.WriteString("\x03")
	f.untilText("In [2]: ")
	gone := regexp.MustCompile(`\r\x1b\[Kcomputing on sim:v100#0 +\d+% \[[█·]{24}\] \d+/\d+(, [0-9a-z.µ]+ left)?(\^C)?\r\x1b\[K(interrupted: kernel [^\r]* is running\r\n\r\x1b\[K)?\r\n(\x1b\[[0-9;]*m)?interrupted`)
	if all := f.all(); !gone.MatchString(all) {
		t.Errorf("the bar and its end: %.600q", all[strings.Index(all, "computing on"):])
	}
	f.leave()
}
