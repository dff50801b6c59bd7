package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/replace"
	"github.com/arrayrepl/arrayrepl/kernel/notebook"
	"github.com/arrayrepl/arrayrepl/kernel/notebook/export"
)

// exportNotebook writes a notebook, or those of a directory, as something to read.
func exportNotebook(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("export", flag.ExitOnError)
	to := flags.String("to", "html", "`FORMAT`: html, one page with live charts, or of a directory a site of its notebooks; md, Markdown with pictures beside it; go, a program with its go.mod")
	out := flags.String("o", "", "write to `FILE` (go: or a directory); default: the notebook's name with another ending, of a directory with \"-html\" after it")
	saved := flags.Bool("saved", false, "of a directory: take the outputs that its notebooks have; without it they are run first, in the order of their names, and their files left as they are")
	careful := careFlags(flags)
	rest := parseArgs(flags, args)
	if careful.sanitize && careful.trust {
		return errors.New("--sanitize and --trust exclude each other")
	}
	if len(rest) != 1 {
		return errors.New("export takes one notebook, or a directory of them: arrayrepl export NOTEBOOK.ipynb [--to html|md|go] [-o FILE], arrayrepl export DIR [-o SITE] [--saved]")
	}
	if info, err := os.Stat(rest[0]); err == nil && info.IsDir() {
		if *to != "html" {
			return fmt.Errorf("a directory of notebooks can be exported to html, not to %q; one notebook at a time can", *to)
		}
		return exportSite(ctx, rest[0], *out, !*saved, careful)
	}
	nb, err := notebook.Read(rest[0])
	if err != nil {
		return err
	}
	if *to == "go" {
		if openNotebook, err = filepath.Abs(rest[0]); err != nil { // its %get lines are run
			return err
		}
		return exportGo(nb, rest[0], *out)
	}
	name := strings.TrimSuffix(filepath.Base(rest[0]), ".ipynb")
	dest := *out
	if dest == "" {
		dest = strings.TrimSuffix(rest[0], ".ipynb") + "." + *to
	}
	var files map[string][]byte
	var text bytes.Buffer
	sanitize := careful.of(rest[0])
	switch *to {
	case "html":
		err = export.HTML(&text, nb, export.Options{Title: name, Highlight: goHTML, Sanitize: sanitize})
	case "md":
		var s string
		write := export.Markdown
		if sanitize {
			write = export.SanitizedMarkdown
		}
		s, files, err = write(nb, strings.TrimSuffix(filepath.Base(dest), ".md")+"_files")
		text.WriteString(s)
	default:
		return fmt.Errorf("a notebook can be exported to html, md and go, not to %q", *to)
	}
	if err != nil {
		return err
	}
	for file, data := range files {
		path := filepath.Join(filepath.Dir(dest), filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := replace.Bytes(path, data); err != nil {
			return err
		}
	}
	if err := replace.Bytes(dest, text.Bytes()); err != nil {
		return err
	}
	fmt.Println("Wrote", dest)
	if sanitize && !careful.sanitize {
		fmt.Printf(sanitizedNote, rest[0])
	}
	if len(files) > 0 {
		pictures := "pictures"
		if len(files) == 1 {
			pictures = "picture"
		}
		fmt.Printf("and %d %s in %s_files\n", len(files), pictures, strings.TrimSuffix(dest, ".md"))
	}
	if !hasOutputs(nb) {
		fmt.Printf("The notebook has no outputs; %s %s -o %s runs it.\n", asCommand("arrayrepl run"), rest[0], rest[0])
	}
	return nil
}

func hasOutputs(nb *notebook.Notebook) bool {
	for _, c := range nb.Cells {
		if len(c.Outputs) > 0 {
			return true
		}
	}
	return false
}
