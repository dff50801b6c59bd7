package interp

import (
	"fmt"
	"maps"
	"strings"
)

// exchange writes a loop that assigns two to five variables at once, each the value of one of them: what go/ssa makes
// phis of that read each other.
func (c *numberCode) exchange(depth int) {
	t := c.pick(numberTypes...)
	if c.IntN(3) == 0 {
		t = c.pick(append([]string{"[]int", "rec"}, compoundTypes...)...)
	}
	kept := maps.Clone(c.vars)
	c.b.WriteString("{\n")
	var names []string
	for range 2 + c.IntN(4) {
		names = append(names, c.declare(t, c.argument(t)))
	}
	var from []string
	for _, i := range c.Perm(len(names)) {
		from = append(from, names[i])
	}
	if c.IntN(4) == 0 {
		from[0] = from[1] // the value of one is lost
	}
	turn := fmt.Sprintf("%s = %s\n", strings.Join(names, ", "), strings.Join(from, ", "))
	i := c.fresh()
	head := c.pick("for %s := 0; %s < 5; %[1]s++ {", "for %s := range 5 { _ = %s;", "for %s := 5; %s > 0; {")
	fmt.Fprintf(&c.b, head+" if fuel--; fuel < 0 { break }\n", i, i)
	c.loops++
	if c.IntN(2) == 0 {
		c.b.WriteString(turn)
	}
	if strings.Contains(head, "0; {") {
		fmt.Fprintf(&c.b, "%s--\n", i)
	}
	c.block(depth - 1)
	if c.IntN(3) == 0 {
		fmt.Fprintf(&c.b, "if %s { %s }\n", c.cond(1), strings.TrimSpace(turn))
	} else {
		c.b.WriteString(turn)
	}
	c.loops--
	c.b.WriteString("}\n")
	for _, n := range names {
		c.count(n, t)
	}
	c.b.WriteString("}\n")
	c.vars = kept
}
