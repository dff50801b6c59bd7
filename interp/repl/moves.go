package repl

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// move says where the cursor goes from byte dot of a text.
type move func(text string, dot int) int

func left(text string, dot int) int {
	_, n := utf8.DecodeLastRuneInString(text[:dot])
	return dot - n
}

func right(text string, dot int) int {
	_, n := utf8.DecodeRuneInString(text[dot:])
	return dot + n
}

func lineStart(text string, dot int) int { return strings.LastIndexByte(text[:dot], '\n') + 1 }

func lineEnd(text string, dot int) int {
	if n := strings.IndexByte(text[dot:], '\n'); n >= 0 {
		return dot + n
	}
	return len(text)
}

func textStart(string, int) int        { return 0 }
func textEnd(text string, dot int) int { return len(text) }

// lineStartOrCode goes to the first character of the line that is not a blank, and from there to its very start.
func lineStartOrCode(text string, dot int) int {
	start := lineStart(text, dot)
	code := start + len(text[start:]) - len(strings.TrimLeft(text[start:], " "))
	if code == dot || code > lineEnd(text, dot) {
		return start
	}
	return code
}

// up goes to the same column of the line above; on the first line it stays.
func up(text string, dot int) int {
	start := lineStart(text, dot)
	if start == 0 {
		return dot
	}
	return atColumn(text, lineStart(text, start-1), utf8.RuneCountInString(text[start:dot]))
}

// down goes to the same column of the line below; on the last line it stays.
func down(text string, dot int) int {
	end := lineEnd(text, dot)
	if end == len(text) {
		return dot
	}
	return atColumn(text, end+1, utf8.RuneCountInString(text[lineStart(text, dot):dot]))
}

// atColumn returns the place col characters into the line that begins at start, or the line's end.
func atColumn(text string, start, col int) int {
	end := lineEnd(text, start)
	for ; col > 0 && start < end; col-- {
		start = right(text, start)
	}
	return start
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordLeft and wordRight pass what is not a word and then a word, as readline's do.
func wordLeft(text string, dot int) int {
	dot = len(strings.TrimRightFunc(text[:dot], func(r rune) bool { return !isWord(r) }))
	return len(strings.TrimRightFunc(text[:dot], isWord))
}

func wordRight(text string, dot int) int {
	rest := strings.TrimLeftFunc(text[dot:], func(r rune) bool { return !isWord(r) })
	return len(text) - len(strings.TrimLeftFunc(rest, isWord))
}

// blankLeft passes blanks and then everything up to the next blank.
func blankLeft(text string, dot int) int {
	dot = len(strings.TrimRightFunc(text[:dot], unicode.IsSpace))
	return strings.LastIndexFunc(text[:dot], unicode.IsSpace) + 1
}

// erase is what Backspace takes: a character, or a step of the indentation.
func erase(text string, dot int) int {
	indent := text[lineStart(text, dot):dot]
	if n := len(indent); n > 0 && n%len(tab) == 0 && strings.Trim(indent, " ") == "" {
		return dot - len(tab)
	}
	return left(text, dot)
}
