package interp

import (
	"regexp"
	"strings"
)

var (
	unknownInPackage = regexp.MustCompile(`^undefined: (\w+)\.\w+( \(but have \w+\))?$`)
	unknownInType    = regexp.MustCompile(` undefined \(type (\S+) has no field or method \w+()\)$`)
	dotted           = regexp.MustCompile(`^[\pL_][\pL\d_]*(\.[\pL_][\pL\d_]*)*`)
)

// hint asks Options.Hint about the unknown name at off, unless the checker itself has one to propose for all of it.
func (s *Session) hint(src string, off int, msg string) string {
	if s.opts.Hint == nil || off >= len(src) {
		return ""
	}
	m := unknownInPackage.FindStringSubmatch(msg)
	if m == nil {
		m = unknownInType.FindStringSubmatch(msg)
	}
	if m == nil {
		return ""
	}
	name := dotted.FindString(src[off:])
	if m[2] != "" && !strings.Contains(name, ".") {
		return ""
	}
	if h := s.opts.Hint(m[1], name); h != "" {
		return "; " + h
	}
	return ""
}
