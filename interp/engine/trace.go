package engine

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

// MaxTrace bounds how many frames of one error are kept: a runaway recursion has hundreds of thousands.
const MaxTrace = 20

var (
	cellFile    = lazyregexp.New(`^\t?(?:cell (\d+)|(.+\.go)):(\d+)`)
	pathBefore  = lazyregexp.New(`[^\s()*/]+/`) // of the directories in an import path
	funcLiteral = lazyregexp.New(`(\.func[0-9.]+|\$[0-9$]+)+$`)
)

// ParseStack reads the frames of cells, and of files of the user's own modules, out of a stack as runtime.Stack prints
// it: a line for the function, a line for the position.
func ParseStack(stack string) []Frame {
	var out []Frame
	lines := strings.Split(stack, "\n")
	for i := 1; i < len(lines) && len(out) < MaxTrace; i++ {
		out = AddFrame(out, strings.TrimSuffix(lines[i-1], "()"), lines[i])
	}
	return out
}

func AddFrame(out []Frame, fn, pos string) []Frame {
	m := cellFile.FindStringSubmatch(pos)
	if m == nil {
		return out
	}
	cell, _ := strconv.Atoi(m[1])
	line, _ := strconv.Atoi(m[3])
	if m[2] != "" && (!filepath.IsAbs(m[2]) || strings.HasSuffix(filepath.ToSlash(m[2]), "/src/runtime/panic.go")) {
		return out // of a package that is not the user's own, or of Go's runtime
	}
	if m[2] != "" {
		fn = pathBefore.ReplaceAllString(fn, "")
	}
	return append(out, Frame{Cell: cell, File: m[2], Line: line, Func: FuncName(fn)})
}

// FuncName turns the engine's name of a function into the user's: "" for the cell's own statements.
func FuncName(fn string) string {
	fn = strings.ReplaceAll(fn, CellPath+".", "")
	outer := funcLiteral.ReplaceAllString(fn, "")
	literal := outer != fn
	if outer == EntryName || outer == "init" {
		outer = ""
	}
	outer = HiddenSuffix.ReplaceAllString(outer, "$1")
	switch {
	case literal && outer == "":
		return "a function literal"
	case literal:
		return outer + " (function literal)"
	}
	return outer
}
