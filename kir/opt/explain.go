package opt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir"
)

// A Change is what Optimize did to a kernel, and how often.
type Change struct {
	Name  string // of a pass, such as "hoist"; "fold: product with 1" is a rule of the pass fold
	Times int
}

// Explain is Optimize, and says which passes changed the kernel and which rules, in the order in which they first did.
func Explain(f *kir.Func) (*kir.Func, []Change) {
	var changes []Change
	g := optimize(f, pipeline, func(name string) {
		i := slices.IndexFunc(changes, func(c Change) bool { return c.Name == name })
		if i < 0 {
			i = len(changes)
			changes = append(changes, Change{Name: name})
		}
		changes[i].Times++
	})
	return g, changes
}

// Text writes changes, a line for each: "fold: product with 1 (3 times)".
func Text(changes []Change) string {
	var s strings.Builder
	for _, c := range changes {
		s.WriteString(c.Name)
		if c.Times > 1 {
			fmt.Fprintf(&s, " (%d times)", c.Times)
		}
		s.WriteByte('\n')
	}
	return s.String()
}
