package repl

import (
	"strings"
	"testing"
)

// Texts are written with a bar at the cursor.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		name       string
		move       move
		from, want string
	}{
		{"left over a letter of two bytes", left, "né|e", "n|ée"},
		{"left at the start", left, "|a", "|a"},
		{"left over a line's end", left, "a\n|b", "a|\nb"},
		{"right over an emoji", right, "|🙂a", "🙂|a"},
		{"right at the end", right, "a|", "a|"},
		{"home goes to the code", lineStartOrCode, "a\n    b := 1|", "a\n    |b := 1"},
		{"home again goes to the line", lineStartOrCode, "a\n    |b := 1", "a\n|    b := 1"},
		{"and back", lineStartOrCode, "a\n|    b := 1", "a\n    |b := 1"},
		{"home in an empty line", lineStartOrCode, "a\n|\nb", "a\n|\nb"},
		{"end", lineEnd, "a|b\nc", "ab|\nc"},
		{"up keeps the column", up, "éab\nxy|z", "éa|b\nxyz"},
		{"up to a shorter line", up, "a\nxyz|", "a|\nxyz"},
		{"up on the first line", up, "a|b\nc", "a|b\nc"},
		{"down keeps the column", down, "xy|z\néab", "xyz\néa|b"},
		{"down on the last line", down, "a\nb|", "a\nb|"},
		{"word left", wordLeft, "foo.barBaz(|", "foo.|barBaz("},
		{"word left over signs", wordLeft, "foo + (|", "|foo + ("},
		{"word right", wordRight, "|foo.bar", "foo|.bar"},
		{"word right over signs", wordRight, "foo| := bar", "foo := bar|"},
		{"blank left", blankLeft, "a foo.bar(|", "a |foo.bar("},
		{"erase a step of indentation", erase, "if x {\n        |y", "if x {\n    |y"},
		{"erase a blank that is not a step", erase, "     |y", "    |y"},
		{"erase within code", erase, "a    |b", "a   |b"},
	} {
		from, want := strings.Index(c.from, "|"), strings.Index(c.want, "|")
		if got := c.move(strings.Replace(c.from, "|", "", 1), from); got != want {
			t.Errorf("%s: from %q to byte %d, want %q, byte %d", c.name, c.from, got, c.want, want)
		}
	}
}

// Whatever the text and the place, a move stays inside and between characters.
func FuzzMovesStayBetweenCharacters(f *testing.F) {
	f.Add("if x {\n\té := \"🙂\"\n}", 3)
	f.Add("", 0)
	f.Fuzz(func(t *testing.T, text string, at int) {
		text = strings.ToValidUTF8(text, "?")
		dot := 0
		for range min(max(at, 0), len(text)) {
			dot = right(text, dot)
		}
		for _, table := range []map[string]move{
			{"left": left, "right": right, "lineStart": lineStart, "lineEnd": lineEnd, "home": lineStartOrCode, "up": up, "down": down},
			{"wordLeft": wordLeft, "wordRight": wordRight, "blankLeft": blankLeft, "erase": erase},
		} {
			for name, m := range table {
				to := m(text, dot)
				if to < 0 || to > len(text) || strings.ToValidUTF8(text[:to], "") != text[:to] {
					t.Errorf("%s of %q at %d goes to %d", name, text, dot, to)
				}
			}
		}
	})
}
