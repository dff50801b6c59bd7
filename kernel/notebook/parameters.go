package notebook

import "slices"

// The tags that papermill gave their meaning: the cell with the defaults of a notebook's parameters, and the cell after
// it with the values of one run.
const (
	tagParameters = "parameters"
	tagInjected   = "injected-parameters"
)

// HasParameters reports whether a cell is tagged "parameters".
func (nb *Notebook) HasParameters() bool { return nb.tagged(tagParameters) >= 0 }

// Inject puts a code cell with the given source after the cell tagged "parameters", at the top when there is none, in
// place of what an earlier run injected.
func (nb *Notebook) Inject(source string) {
	nb.Cells = slices.DeleteFunc(nb.Cells, func(c *Cell) bool { return c.HasTag(tagInjected) })
	cell := &Cell{Type: "code", Source: source, Metadata: map[string]any{"tags": []any{tagInjected}}}
	nb.Cells = slices.Insert(nb.Cells, nb.tagged(tagParameters)+1, cell)
}

// tagged is the place of the first code cell with the tag, -1 when there is none.
func (nb *Notebook) tagged(tag string) int {
	return slices.IndexFunc(nb.Cells, func(c *Cell) bool { return c.Type == "code" && c.HasTag(tag) })
}
