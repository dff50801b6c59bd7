package notebook

import (
	"encoding/json"

	"github.com/arrayrepl/arrayrepl/internal/carried"
)

// Carried is what the notebook brings along, by its metadata and by its outputs.
func (nb *Notebook) Carried() carried.Set {
	all := decodeCarried(nb.Metadata[carried.Key])
	all.Merge(nb.shown())
	return all
}

// shown is what the outputs carry.
func (nb *Notebook) shown() (all carried.Set) {
	for _, c := range nb.Cells {
		for _, out := range c.Outputs {
			if data, ok := out["data"].(map[string]any); ok && data[carried.MIME] != nil {
				all.Merge(decodeCarried(data[carried.MIME]))
			}
		}
	}
	return all
}

// Keep writes into the metadata what the notebook brings along, and what it has brought along before its cells ran.
func (nb *Notebook) Keep(before carried.Set) {
	all := before
	all.Merge(nb.Carried())
	var sources []string
	for _, c := range nb.Cells {
		if c.Type == "code" {
			sources = append(sources, c.Source)
		}
	}
	nb.Metadata = orEmpty(nb.Metadata)
	if kept := carried.Kept(all, nb.shown(), sources); kept.Empty() {
		delete(nb.Metadata, carried.Key)
	} else {
		nb.Metadata[carried.Key] = kept
	}
}

// decodeCarried reads v, JSON in whatever form; anything else carries nothing.
func decodeCarried(v any) (s carried.Set) {
	data, err := json.Marshal(v)
	if err != nil || json.Unmarshal(data, &s) != nil {
		return carried.Set{}
	}
	return s
}
