package magic

import (
	"os"
	"path/filepath"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp"
)

// Complete proposes what may stand at cursor, counted in code points, in a cell that may hold magics.
func (s *Session) Complete(src string, cursor int) interp.Completion {
	at := offset(src, cursor)
	lineStart := strings.LastIndexByte(src[:at], '\n') + 1
	p := s.magicAt(src, at)
	if p == nil {
		if word := strings.TrimLeftFunc(src[lineStart:at], unicode.IsSpace); word == "%" || word == "%%" {
			return s.completeName(src, lineStart, at) // a sigil alone is not a whole line yet
		}
		return s.Session.Complete(s.goOnly(src, s.split(src)), cursor)
	}
	m := p.magic
	switch def := s.table[m.name]; {
	case at < m.argStart || m.arg == "" && at <= firstLineEnd(src, p) && !strings.HasSuffix(src[lineStart:at], " "):
		if strings.HasPrefix(m.name, "%") {
			return s.completeName(src, lineStart, at)
		}
	case def == nil || strings.HasPrefix(m.name, "%%") && at > firstLineEnd(src, p) && !def.Go:
	case def.Go:
		out := s.Session.Complete(s.goOnly(src, s.split(src)), cursor)
		if m.name == "%doc" {
			s.addPages(&out, src[min(m.argStart, at):at], cursor)
		}
		return out
	case def.Complete != nil:
		word := src[min(m.argStart, at):at]
		if m.name == "!" {
			word = word[strings.LastIndexAny(word, " \t|;&<>=")+1:]
		}
		out := interp.Completion{End: cursor, Start: cursor - utf8.RuneCountInString(word)}
		for _, match := range def.Complete(s, word) {
			if strings.HasPrefix(match.Text, word) {
				out.Matches = append(out.Matches, match)
			}
		}
		return out
	}
	return interp.Completion{Start: cursor, End: cursor}
}

// addPages puts the pages of the documentation whose names begin with word, which ends at cursor, before other
// proposals.
func (s *Session) addPages(out *interp.Completion, word string, cursor int) {
	start := cursor - utf8.RuneCountInString(word)
	var pages []interp.Match
	for _, name := range s.opts.PageNames {
		if strings.HasPrefix(name, word) {
			pages = append(pages, interp.Match{Text: name, Type: "page", Doc: "A page of the documentation."})
		}
	}
	switch {
	case len(pages) == 0:
	case out.Start == start:
		out.Matches = append(pages, out.Matches...)
	default: // a hyphen is an operator in Go
		*out = interp.Completion{Matches: pages, Start: start, End: cursor}
	}
}

// completeName proposes magics for the name that begins in that line.
func (s *Session) completeName(src string, lineStart, at int) interp.Completion {
	lead := len(src[lineStart:at]) - len(strings.TrimLeftFunc(src[lineStart:at], unicode.IsSpace))
	prefix := src[lineStart+lead : at]
	first := strings.TrimSpace(src[:lineStart]) == ""
	out := interp.Completion{Start: utf8.RuneCountInString(src[:lineStart+lead]), End: utf8.RuneCountInString(src[:at])}
	for _, m := range completeMagic(s, prefix) {
		if strings.HasPrefix(m.Text, prefix) && (first || !strings.HasPrefix(m.Text, "%%")) {
			out.Matches = append(out.Matches, m)
		}
	}
	return out
}

// Inspect is the plain text of [Session.Describe] without detail.
func (s *Session) Inspect(src string, cursor int) (text string, ok bool) {
	d, ok := s.Describe(src, cursor, 0)
	if !ok {
		return "", false
	}
	return d.Plain(), true
}

// Describe describes what is at cursor, in a cell that may hold magics.
func (s *Session) Describe(src string, cursor, detail int) (d interp.Description, ok bool) {
	at := offset(src, cursor)
	if p := s.magicAt(src, at); p != nil {
		m := p.magic
		def := s.table[m.name]
		if m.name == "?" && strings.HasPrefix(m.arg, "%") {
			m, def = &magicText{name: m.arg, argStart: len(src)}, s.table[m.arg]
		}
		if def != nil && (at < m.argStart || m.arg == "" && at <= firstLineEnd(src, p)) {
			return interp.Description{Signature: def.usage(), Doc: def.Help}, true
		}
		if def == nil || !def.Go {
			return d, false
		}
	}
	return s.Session.Describe(s.goOnly(src, s.split(src)), cursor, detail)
}

// IsComplete says whether a cell that may hold magics can run as it stands. One that begins with %% ends with a blank
// line.
func (s *Session) IsComplete(src string) (status, indent string) {
	parts := s.split(src)
	if len(parts) == 1 && parts[0].magic == nil {
		return s.Session.IsComplete(src)
	}
	if len(parts) == 0 {
		return "complete", ""
	}
	last := parts[len(parts)-1]
	if m := last.magic; m != nil && (strings.HasPrefix(m.name, "%%") && !m.misplaced || m.name == mainWord) {
		if i := strings.LastIndexByte(src, '\n'); i < 0 || strings.TrimSpace(src[i:]) != "" {
			return "incomplete", ""
		}
		return "complete", ""
	}
	if last.magic != nil {
		if continued(strings.TrimSuffix(src, "\n")) {
			return "incomplete", ""
		}
		return "complete", ""
	}
	return s.Session.IsComplete(s.goOnly(src, parts))
}

// magicAt returns the magic in which a byte offset lies, nil for none.
func (s *Session) magicAt(src string, at int) *part {
	parts := s.split(src)
	for i := range parts {
		if p := &parts[i]; p.magic != nil && p.start <= at && (at < p.end || at == len(src) && p.end == at) {
			return p
		}
	}
	return nil
}

// goOnly is src with blanks for all that is not Go, so that positions stay.
func (s *Session) goOnly(src string, parts []part) string {
	var b strings.Builder
	at := 0
	blank := func(to int) {
		b.WriteString(strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, src[at:to]))
		at = to
	}
	for _, p := range parts {
		if p.magic == nil {
			continue
		}
		b.WriteString(src[at:p.start])
		at = p.start
		m := p.magic
		switch def := s.table[m.name]; {
		case m.name == "?":
			blank(m.argStart)
			b.WriteString(m.arg)
			at += len(m.arg)
			blank(p.end)
		case m.name == mainCell || m.name == mainWord:
			blank(min(p.end, firstLineEnd(src, &p)))
		case def != nil && def.Go:
			_, _, rest, _ := timeitFlags(m.arg)
			blank(m.argStart + len(m.arg) - len(rest))
		default:
			blank(p.end)
		}
	}
	return b.String() + src[at:]
}

func firstLineEnd(src string, p *part) int {
	if i := strings.IndexByte(src[p.start:], '\n'); i >= 0 {
		return p.start + i
	}
	return len(src)
}

// offset is the byte offset of a cursor in code points.
func offset(src string, cursor int) int {
	at := 0
	for ; cursor > 0 && at < len(src); cursor-- {
		_, n := utf8.DecodeRuneInString(src[at:])
		at += n
	}
	return at
}

// words is the completion of an argument that is one of a few words.
func words(list ...string) func(*Session, string) []interp.Match {
	return func(*Session, string) (out []interp.Match) {
		for _, w := range list {
			out = append(out, interp.Match{Text: w, Type: "keyword"})
		}
		return out
	}
}

func completeMagic(s *Session, _ string) (out []interp.Match) {
	for name := range s.table {
		if len(name) > 1 {
			out = append(out, interp.Match{Text: name, Type: "magic", Signature: s.table[name].usage(), Doc: s.table[name].Help})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Text < out[j].Text })
	return out
}

func completeEnv(*Session, string) (out []interp.Match) {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		out = append(out, interp.Match{Text: name, Type: "variable"})
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Text < out[j].Text })
	return out
}

func completeFile(_ *Session, text string) []interp.Match { return paths(text, true) }

func completeDir(_ *Session, text string) []interp.Match { return paths(text, false) }

// paths lists the files, or the directories alone, whose paths begin with text. Hidden ones must be asked for.
func paths(text string, files bool) (out []interp.Match) {
	dir, base := filepath.Split(text)
	look := expandHome(dir)
	if look == "" {
		look = "."
	}
	entries, _ := os.ReadDir(look)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		if info, err := os.Stat(filepath.Join(look, name)); err == nil && info.IsDir() {
			out = append(out, interp.Match{Text: dir + name + string(filepath.Separator), Type: "directory"})
		} else if files {
			out = append(out, interp.Match{Text: dir + name, Type: "file"})
		}
	}
	return out
}
