package langserver

import (
	"slices"

	"github.com/arrayrepl/arrayrepl/interp"
)

// SessionNames is what cells of a session know, which checks them and runs none. When a cell has changed, it and those
// that follow are checked again, as a kernel would run them again.
func SessionNames(s *interp.Session) Names {
	var cells []string
	var found []map[string]string
	return Names{Imports: s.AutoImports(), Types: func(now []string) []map[string]string {
		same := 0
		for same < len(now) && same < len(cells) && now[same] == cells[same] {
			same++
		}
		found = found[:same]
		for i, src := range now[same:] {
			found = append(found, s.VariableTypes(same+i+1, src))
		}
		cells = slices.Clone(now)
		return found
	}}
}
