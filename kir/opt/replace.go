package opt

import "github.com/arrayrepl/arrayrepl/kir"

// replacements gives, by the ID of a value, the value that takes its place, or nil.
type replacements []*kir.Value

// of returns what v is in the end: the last of a chain of replacements.
func (by replacements) of(v *kir.Value) *kir.Value {
	for v.ID < len(by) && by[v.ID] != nil {
		v = by[v.ID]
	}
	return v
}

// replaceAll puts the values of by in the place of what they replace.
func replaceAll(f *kir.Func, by replacements) { f.ReplaceUses(by.of) }
