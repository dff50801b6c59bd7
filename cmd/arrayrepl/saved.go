package main

import (
	"github.com/arrayrepl/arrayrepl/install"
	"github.com/arrayrepl/arrayrepl/internal/carried"
	"github.com/arrayrepl/arrayrepl/interp/repl"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
)

// saveNotebook writes the cells of a terminal's session, with what they gave, as a notebook.
func saveNotebook(path string, cells []repl.Cell) error {
	nb := &notebook.Notebook{Metadata: map[string]any{
		"kernelspec":    map[string]any{"name": install.DefaultName, "display_name": install.DefaultDisplayName, "language": "go"},
		"language_info": session{}.Language().Info(),
	}}
	for _, c := range cells {
		cell := &notebook.Cell{Type: "code", Source: c.Source, Count: c.Count}
		for _, o := range c.Outputs {
			saved, err := savedOutput(o, c.Count)
			if err != nil {
				return err
			}
			cell.Outputs = append(cell.Outputs, saved)
		}
		nb.Cells = append(nb.Cells, cell)
	}
	nb.Keep(carried.Set{})
	return nb.Write(path)
}

// savedOutput is an output as a notebook file has it.
func savedOutput(o repl.Output, count int) (map[string]any, error) {
	switch {
	case o.Failure != nil:
		return map[string]any{"output_type": "error", "ename": o.Failure.Kind, "evalue": o.Failure.Message, "traceback": o.Failure.Lines(true)}, nil
	case o.Stream != "":
		return map[string]any{"output_type": "stream", "name": o.Stream, "text": o.Text}, nil
	}
	data, err := notebook.Data(o.Value)
	if err != nil {
		return nil, err
	}
	metadata := o.Value.Metadata
	if metadata == nil {
		metadata = map[string]any{}
	}
	out := map[string]any{"output_type": "display_data", "data": data, "metadata": metadata}
	if o.Result {
		out["output_type"], out["execution_count"] = "execute_result", count
	}
	return out, nil
}

// loadNotebook returns the sources of a notebook's code cells.
func loadNotebook(path string) ([]string, error) {
	nb, err := notebook.Read(path)
	if err != nil {
		return nil, err
	}
	var cells []string
	for _, c := range nb.Cells {
		if c.Type == "code" && !c.HasTag("skip-execution") {
			cells = append(cells, c.Source)
		}
	}
	return cells, nil
}
