package brook

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/arrayrepl/arrayrepl/kir/ptx"
)

// Source returns what a kernel is for a back end: "go", the function as it was declared; "kir", the kernel that
// simulated GPUs and the CPU get before they optimise it; "ptx", what NVIDIA's driver gets. All parameters but gathers
// are elements in it.
func Source(f any, form string) string {
	const op = "brook.Source"
	c := &call{op: op, settings: new(Settings)}
	c.f, c.s = function(op, f)
	if form == "go" {
		_, lines := c.f.Text()
		var b strings.Builder
		for _, n := range slices.Sorted(maps.Keys(lines)) {
			b.WriteString(lines[n] + "\n")
		}
		return b.String()
	}
	t := reflect.TypeOf(c.f.Value)
	for i := range c.s.Params {
		p := &c.s.Params[i]
		if p.Emit {
			c.fail("what it emits is written by two kernels; Source shows functions with results")
		}
		of := t.In(i)
		if p.Gather {
			of = of.Field(0).Type.Elem()
		}
		c.args = append(c.args, &argument{value: p, form: formOf(op, of), stream: Zeros(of, 0)})
	}
	for i := range c.s.Results {
		c.results = append(c.results, formOf(op, t.Out(i)))
	}
	columns, _ := c.outputs()
	kernel := c.pass(inOrder(len(columns), len(columns))[0])
	switch form {
	case "kir":
		return kernel.String()
	case "ptx":
		text, err := ptx.Print(ptx.Options{}, kernel)
		check(op, err)
		return text
	}
	check(op, fmt.Errorf("there is no form %q: go, kir and ptx are there", form))
	return ""
}
