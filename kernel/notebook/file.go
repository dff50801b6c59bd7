package notebook

import (
	"fmt"
	"io"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/internal/replace"
)

// Read reads the notebook at path; a file whose name ends in .go is in the percent format.
func Read(path string) (*Notebook, error) {
	data, err := budget.ReadFile(path, "the file", 0)
	if err != nil {
		return nil, fmt.Errorf("notebook: %w", err)
	}
	if strings.HasSuffix(path, ".go") {
		return ParsePercent(string(data)), nil
	}
	nb, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("notebook: %s: %w", path, err)
	}
	return nb, nil
}

// Write saves nb at path. The file is there whole or as it was before: the text goes to a temporary file beside it,
// which then takes its name.
func (nb *Notebook) Write(path string) error { return nb.write(path, true) }

// WriteInterim is [Notebook.Write] without waiting for the disk: the file outlives this process, though not a loss of
// power.
func (nb *Notebook) WriteInterim(path string) error { return nb.write(path, false) }

func (nb *Notebook) write(path string, durable bool) error {
	data, err := nb.JSON()
	if err != nil {
		return err
	}
	if err := replace.File(path, durable, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
		return fmt.Errorf("notebook: writing %s: %w", path, err)
	}
	return nil
}
