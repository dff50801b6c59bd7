// Command gen writes the documentation of Go's public standard packages, compressed, into the folder std: those of the
// toolchain that runs it, for linux/amd64. What another release of Go wrote is kept unless -force is given, so that
// checking whether generated files are current does not depend on a toolchain's patch level.
package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/arrayrepl/arrayrepl/interp/docs"
)

func main() {
	force := flag.Bool("force", false, "replace the documentation of another release")
	flag.Parse()
	old, err := docs.Load(os.DirFS("std"), "builtin")
	if err == nil && old.Version != runtime.Version() && !*force {
		fmt.Fprintf(os.Stderr, "gen: std is of %s and this is %s: kept; go run ./internal/gen -force replaces it\n", old.Version, runtime.Version())
		return
	}
	if err := run("std"); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	list, err := exec.Command("go", "list", "std").Output()
	if err != nil {
		return fmt.Errorf("go list std: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, path := range append(strings.Fields(string(list)), "builtin") {
		if strings.HasPrefix(path, "vendor/") || strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal") {
			continue
		}
		text, err := document(path)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(dir, path+".txt.gz"), text); err != nil {
			return err
		}
	}
	return nil
}

func document(path string) ([]byte, error) {
	ctxt := build.Default
	ctxt.GOOS, ctxt.GOARCH, ctxt.CgoEnabled = "linux", "amd64", false
	bp, err := ctxt.Import(path, "", 0)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range bp.GoFiles {
		files = append(files, filepath.Join(bp.Dir, name))
	}
	return docs.Format(path, runtime.Version(), files, nil, func(string) string { return "" })
}

// write compresses text so that equal texts make equal files.
func write(file string, text []byte) error {
	var b bytes.Buffer
	zw, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := zw.Write(text); err != nil {
		return err
	}
	if err := zw.Close(); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o644)
}
