package interp

import (
	"fmt"
	"strings"
)

// unbalanced returns the error of a cell whose brackets do not match. It stands where Go's own parser finds that a
// bracket is missing, which is nearer to the place than the bracket that waits for it: at the end of the line that
// was to close it, mostly. Where the parser reads to the end of the cell, it is the bracket that is never closed.
func (s *Session) unbalanced(cell int, src string, bad *splitError) Diagnostic {
	sc := &source{cell: cell, src: src, lines: lineStarts(src)}
	plain := sc.diagnostic(bad.pos, bad.msg)
	if len(bad.pieces) == 0 {
		return plain
	}
	_, file, diags := s.parseCell(s.fset, cell, src, bad.pieces)
	if file != nil && len(diags) == 0 {
		s.fset.RemoveFile(s.fset.File(file.FileStart))
	}
	if len(diags) == 0 || diags[0].Message == endsEarly {
		return plain
	}
	d := diags[0]
	if d.Line == plain.Line && d.Column == plain.Column {
		return plain
	}
	if end := strings.TrimRight(src, " \t\r\n"); d.Line > strings.Count(end, "\n")+1 {
		return plain
	}
	for i := len(bad.open) - 1; i >= 0; i-- { // the innermost that stands before it
		at := sc.diagnostic(bad.open[i].pos, "")
		if at.Line < d.Line || at.Line == d.Line && at.Column < d.Column {
			d.Message += fmt.Sprintf("; the %q of line %d, column %d, is never closed", bad.open[i].tok, at.Line, at.Column)
			break
		}
	}
	d.Message += s.hint(d)
	return d
}
