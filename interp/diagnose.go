package interp

import (
	"cmp"
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// diagnose turns the checker's errors into the cell's, in the order of the text, one a line and message. Those beyond
// the ones that are shown have the checker's own words: they are counted alone, and a cell may have any number.
func (s *Session) diagnose(c *checked, errs []types.Error) []Diagnostic {
	l := c.lowered
	type placed struct {
		types.Error
		off int
		own bool // it is in the cell's text
	}
	list := make([]placed, len(errs))
	for i, e := range errs {
		list[i] = placed{e, len(l.Src.Src), false}
		if e.Pos.IsValid() && s.fset.File(e.Pos) == s.fset.File(l.File.FileStart) {
			list[i].off, list[i].own = l.Src.Offset(l.TextOffset(e.Pos)), true
		}
	}
	slices.SortStableFunc(list, func(a, b placed) int { return cmp.Compare(a.off, b.off) })
	lineOf := func(e placed) int { line, _ := l.Src.LineCol(e.off); return line }
	list = slices.CompactFunc(list, func(a, b placed) bool { return a.Msg == b.Msg && lineOf(a) == lineOf(b) })
	var diags []Diagnostic
	for _, e := range list {
		d := l.Src.Diagnostic(e.off, e.Msg)
		if len(diags) < MaxDiagnostics {
			d.Message = s.inCell(c, e.Error)
			why := ""
			if e.own {
				d.Message += s.hiddenBy(l, e.Pos)
				why = s.undeclared(c, e.Error)
			}
			if e.off < len(l.Src.Src) {
				why = cmp.Or(s.hint(d), why)
			}
			d.Message += why
		}
		if n := len(diags); n == 0 || diags[n-1].Line != d.Line || diags[n-1].Message != d.Message {
			diags = append(diags, d)
		}
	}
	return diags
}

// inCell says what an error of the checker says in the words of the cell.
func (s *Session) inCell(c *checked, e types.Error) string {
	msg := s.wantedNames(c, e, s.ownNames(plainPackages(c.plainTypes(c.asWritten(e.Msg)), c.pkg)))
	msg = outVariable.ReplaceAllString(msg, "Out[$1]")
	msg = engine.HiddenSuffix.ReplaceAllString(shownName.ReplaceAllString(msg, ""), "$1")
	msg = patchPlace.ReplaceAllString(msg, "")
	return declaredAt.ReplaceAllString(msg, "declared in cell $1, line $2") + s.modules.SameName(msg)
}

// hintReach is how much of a line, before and after the place of an error, a hint is looked for in.
const hintReach = 500

// hint is what Options.Hint adds to a diagnostic, behind a semicolon. Of a long line it gets the statement at fault,
// and of a long statement nothing: hints read the beginning of a line.
func (s *Session) hint(d Diagnostic) string {
	if s.opts.Hint == nil {
		return ""
	}
	at := 0
	for range d.Column - 1 {
		_, n := utf8.DecodeRuneInString(d.Source[at:])
		at += n
	}
	line := d.Source
	if at > hintReach {
		from := strings.LastIndexAny(line[at-hintReach:at], ";{}")
		if from < 0 {
			return ""
		}
		from += at - hintReach + 1
		line, at = line[from:], at-from
	}
	if h := s.opts.Hint(d.Message, line[:min(len(line), at+hintReach)], at); h != "" {
		return "; " + h
	}
	return ""
}
