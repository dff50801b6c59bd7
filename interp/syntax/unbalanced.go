package syntax

import (
	"fmt"
	"go/token"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/cellerror"
)

// Unbalanced returns the error of a cell whose brackets do not match. It stands where Go's own parser finds that a
// bracket is missing, which is nearer to the place than the bracket that waits for it: at the end of the line that
// was to close it, mostly. Where the parser reads to the end of the cell, it is the bracket that is never closed.
// Parsed says that it is the parser's.
func Unbalanced(fset *token.FileSet, parse ParseFunc, cell int, src string, bad *SplitError) (d cellerror.Diagnostic, parsed bool) {
	sc := Bare(cell, src)
	plain := sc.Diagnostic(bad.Pos, bad.Msg)
	if len(bad.pieces) == 0 {
		return plain, false
	}
	_, file, diags := Parse(fset, parse, cell, src, bad.pieces)
	if file != nil && len(diags) == 0 {
		fset.RemoveFile(fset.File(file.FileStart))
	}
	if len(diags) == 0 || diags[0].Message == EndsEarly {
		return plain, false
	}
	d = diags[0]
	if d.Line == plain.Line && d.Column == plain.Column {
		return plain, false
	}
	if end := strings.TrimRight(src, " \t\r\n"); d.Line > strings.Count(end, "\n")+1 {
		return plain, false
	}
	for i := len(bad.open) - 1; i >= 0; i-- { // the innermost that stands before it
		at := sc.Diagnostic(bad.open[i].pos, "")
		if at.Line < d.Line || at.Line == d.Line && at.Column < d.Column {
			d.Message += fmt.Sprintf("; the %q of line %d, column %d, is never closed", bad.open[i].tok, at.Line, at.Column)
			break
		}
	}
	return d, true
}
