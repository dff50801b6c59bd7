package modules

import (
	"os"
	"path/filepath"

	"github.com/arrayrepl/arrayrepl/internal/budget"
	"github.com/arrayrepl/arrayrepl/interp/engine"
)

// readSource reads a file of code, or one of the go command such as a go.mod. What a user's modules have under these
// names may be anything: pipes and devices, which have no end, and files that are too large are errors.
func readSource(file string) ([]byte, error) {
	return budget.ReadRegular(file, engine.ShortPath(file), budget.SourceFile)
}

// sourcesFit returns an error when a Go file of a directory is none that readSource would read.
func sourcesFit(dir string) error {
	return budget.RegularFiles(filepath.Join(dir, "*.go"), budget.SourceFile)
}

// embeddedTimes is what an embedded byte takes: the text of a constant has up to four for it, beside the constant and
// the value.
const embeddedTimes = 8

// embeddedFit asks whether there is memory for what patterns of go:embed name: the files, and the text of the program
// in which they become constants.
func embeddedFit(dir string, patterns []string) error {
	size := int64(0)
	names, err := EmbeddedFiles(dir, patterns)
	if err != nil {
		return err
	}
	for _, name := range names {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := budget.Regular(file, engine.ShortPath(file), budget.SourceFile); err != nil {
			return err
		}
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	return budget.For("the files that "+engine.ShortPath(dir)+" embeds", embeddedTimes*size)
}
