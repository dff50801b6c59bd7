package main

import (
	"fmt"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/internal/budget"
)

// unclearText is what an error for people does not have: words of the Go runtime, failed formats, bare ends.
var unclearText = regexp.MustCompile(`runtime error|goroutine \d|index out of range|slice bounds|nil pointer|makeslice|cap out of range|invalid memory|reflect[.:]|%!.?\(|\bEOF\b|strconv\.|interface conversion|has a fault|fault of the reader`)

// unclear says what is wrong with the text of an error, "" for nothing.
func unclear(text string) string {
	switch {
	case len(strings.TrimSpace(text)) < 10:
		return "it says nothing"
	case len(text) > 3000:
		return fmt.Sprintf("it has %d bytes", len(text))
	case !utf8.ValidString(text):
		return "it is not UTF-8"
	}
	if at := unclearText.FindString(text); at != "" {
		return fmt.Sprintf("it says %q", at)
	}
	for _, c := range text {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || c == '\u2028' || c == '\ufeff') {
			return fmt.Sprintf("it has the character %U", c)
		}
	}
	return ""
}

// try runs a case. What is wrong is "" when nothing is; said is what the reader returned.
func (f *format) try(in input) (wrong, said string) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	value, crash, err := f.guarded(in)
	runtime.ReadMemStats(&after)
	took := int64(after.TotalAlloc - before.TotalAlloc)
	if took > 64<<20 {
		debug.FreeOSMemory()
	}
	said = "value " + value
	if err != nil {
		said = "error " + err.Error()
	}
	most := in.most
	if most == 0 {
		most = f.base + f.times*int64(len(in.data))
	}
	switch {
	case crash != "":
		return "it panics: " + crash, ""
	case took > most:
		return fmt.Sprintf("it takes %d bytes of memory; %d are the bound for an input of %d bytes", took, most, len(in.data)), said
	case err != nil && in.must == succeed:
		return "a good input is refused", said
	case err == nil && in.must == fail:
		return "there is no error", said
	case err == nil && in.must == unchanged && value != in.same:
		return "one wrong bit gives another value, and no error", said
	case err != nil:
		if why := unclear(err.Error()); why != "" {
			return "the error is not clear: " + why, said
		}
	}
	return "", said
}

// guarded calls the reader and returns its panic, if any, with the place.
func (f *format) guarded(in input) (value, crash string, err error) {
	defer func() {
		if r := recover(); r != nil {
			crash = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	if in.path == nil {
		value, err = f.read(in)
		return value, "", err
	}
	path, err := in.path()
	if err != nil {
		return "", "", fmt.Errorf("the case cannot be made: %w", err)
	}
	budget.Ask(func(what string, bytes int64) error { // as a session of cells does
		if bytes > pathMemory {
			return fmt.Errorf("%s takes %s of memory, more than a cell may take", what, budget.Bytes(bytes))
		}
		return nil
	})
	defer budget.Ask(nil)
	value, err = f.paths(path)
	return value, "", err
}
