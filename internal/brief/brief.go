// Package brief writes what comes from data into messages: a cell or a name may have a hundred million characters, and
// there may be a million names.
package brief

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

const (
	// Most is how many characters of a text a message has.
	Most  = 60
	names = 20 // how many of a list
)

// Text is the beginning of s, with … where there is more, and escapes for what is not text: bytes that are not UTF-8,
// and characters that a terminal could take for commands.
func Text[T ~string | ~[]byte](s T) string { return visible(beginning(s)) }

// Path is the path of a file; of a long one the end, where its name is.
func Path(s string) string {
	const whole = 240
	if len(s) <= whole {
		return visible(s)
	}
	at := len(s) - Most
	for at < len(s) && !utf8.RuneStart(s[at]) {
		at++
	}
	return "…" + visible(s[at:])
}

// Line is the beginning of a line of a program's own message, as [Text], but of so many bytes, and tabs stay.
func Line(s string, most int) string {
	if len(s) > most {
		for most > 0 && !utf8.RuneStart(s[most]) {
			most--
		}
		s = s[:most] + "…"
	}
	parts := strings.Split(s, "\t")
	for i := range parts {
		parts[i] = visible(parts[i])
	}
	return strings.Join(parts, "\t")
}

// visible is s with escapes for what cannot be seen.
func visible(s string) string {
	odd := func(r rune) bool { return r == utf8.RuneError || !unicode.IsGraphic(r) }
	if strings.IndexFunc(s, odd) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case odd(r):
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

func beginning[T ~string | ~[]byte](s T) string {
	at := 0
	for range Most {
		if at == len(s) {
			return string(s)
		}
		_, n := utf8.DecodeRuneInString(string(s[at:min(at+utf8.UTFMax, len(s))]))
		at += n
	}
	if at == len(s) {
		return string(s)
	}
	return string(s[:at]) + "…"
}

// Quoted is [Text] in quotes, with escapes for what cannot be seen.
func Quoted[T ~string | ~[]byte](s T) string { return strconv.Quote(beginning(s)) }

// endsEarly are the words of Go's library for a text or a file that ends too early.
var endsEarly = lazyregexp.New(`\b(?:unexpected )?EOF\b`)

// Reason is what an error of a library says, in the words of our messages, and its beginning when it is long.
func Reason(err error) string {
	const most = 400
	text := endsEarly.ReplaceAllString(err.Error(), "it ends too early")
	if before, _, crashed := strings.Cut(text, "runtime error: "); crashed {
		text = before + "its parts do not fit together"
	}
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return visible(text)
}

// Whole is an argument of a message that is not data: what [Args] leaves as it is.
type Whole string

// Args are arguments of a message with their strings as [Text].
func Args(args []any) []any {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = Text(s)
		}
	}
	return args
}

// List is the beginning of a list, each name quoted, and how many there are when that is not all.
func List(list []string) string {
	parts := make([]string, min(len(list), names))
	for i := range parts {
		parts[i] = Quoted(list[i])
	}
	text := strings.Join(parts, ", ")
	if len(list) > names {
		text += fmt.Sprintf(" … (%d in all)", len(list))
	}
	return text
}

// Type is the type of a value in a sentence: "an int", "a []string", "an array", "nil".
func Type(v any) string {
	if v == nil {
		return "nil"
	}
	name := strings.ReplaceAll(fmt.Sprintf("%T", v), "interface {}", "any")
	switch name {
	case "*arrays.Array", "*lazy.Array":
		return "an array"
	}
	if strings.ContainsRune("aeio", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
