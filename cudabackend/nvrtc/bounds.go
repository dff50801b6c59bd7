package nvrtc

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// The compiler runs in this process and goes as deep into itself as a source is nested: beyond some thousands of levels the process would
// end. So sources are refused that no person writes, before the compiler has them.
const (
	mostBytes   = 8 << 20 // of a source
	mostNested  = 500     // brackets within each other
	mostSigns   = 2000    // operators and brackets of one expression, between commas and ends of statements; 4,000 signs before a number ended a process
	mostElse    = 4000    // each may be within the one before
	lineOfError = 300     // bytes of a line of messages
)

// bounded returns an error of a source that the compiler is not given.
func bounded(source, name string) error {
	if len(source) > mostBytes {
		return fmt.Errorf("CUDA C: %s has %d bytes; at most %d are compiled", name, len(source), mostBytes)
	}
	line, depth, signs, elses := 1, 0, 0, 0
	fail := func(format string, args ...any) error {
		return fmt.Errorf("CUDA C: %s(%d): %s", name, line, fmt.Sprintf(format, args...))
	}
	for i := 0; i < len(source); {
		if strings.HasPrefix(source[i:], "//") {
			k := strings.IndexByte(source[i:], '\n')
			if k < 0 {
				return nil
			}
			i += k
			continue
		}
		if strings.HasPrefix(source[i:], "/*") {
			end := endOf(source, i+2, "*/")
			line += strings.Count(source[i:end], "\n")
			i = end
			continue
		}
		c := source[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(source[i:])
			if r == utf8.RuneError && n == 1 {
				return fail("the text is not UTF-8")
			}
			i += n
			continue
		}
		switch c {
		case '\n':
			line++
		case '"', '\'':
			for i++; i < len(source) && source[i] != c && source[i] != '\n'; i++ {
				if source[i] == '\\' {
					i++
				}
			}
			if i < len(source) && source[i] == '\n' {
				continue // the compiler says that the text has no end
			}
		case '(', '[', '{':
			if depth++; depth > mostNested {
				return fail("brackets are nested more than %d deep", mostNested)
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case 'e':
			if strings.HasPrefix(source[i:], "else") && (i == 0 || !inName(source[i-1])) && (i+4 == len(source) || !inName(source[i+4])) {
				if elses++; elses > mostElse {
					return fail("there are more than %d else", mostElse)
				}
			}
		}
		switch c {
		case ';', ',', '{', '}':
			signs = 0
		case '(', '[', '+', '-', '*', '/', '%', '&', '|', '^', '~', '!', '<', '>', '=', '?', ':', '.':
			if signs++; signs > mostSigns {
				return fail("an expression has more than %d operators: write it as several", mostSigns)
			}
		}
		i++
	}
	return nil
}

// endOf returns the index behind the next mark in source from i on, or its end.
func endOf(source string, i int, mark string) int {
	if k := strings.Index(source[min(i, len(source)):], mark); k >= 0 {
		return i + k + len(mark)
	}
	return len(source)
}

// inName reports whether c may be in a name.
func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}
