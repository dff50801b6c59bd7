package repl_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// smallDisk returns a directory with 48 kB of room; without leave to mount one, "".
func smallDisk(t *testing.T) string {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=48k"); err != nil {
		t.Log("no small disk, files of limited size alone: ", err)
		return ""
	}
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// What has no room on the disk leaves the file that was there, says so, and leaves nothing half written: charts,
// exported pages, Markdown and programs, sites, notebooks that were run, arrays, tables, and calibrated machines.
func TestFullDiskKeepsFiles(t *testing.T) {
	notebook := func(dir string) string { // with 300 kB that are shown
		text := strings.Repeat("0123456789 ", 30_000)
		nb, err := json.Marshal(map[string]any{"nbformat": 4, "nbformat_minor": 5, "metadata": map[string]any{}, "cells": []any{map[string]any{
			"cell_type": "code", "id": "a", "metadata": map[string]any{}, "execution_count": 1, "source": "// " + text + "\nfmt.Println(1)",
			"outputs": []any{map[string]any{"output_type": "stream", "name": "stdout", "text": text}}}}})
		require.NoError(t, err)
		path := filepath.Join(dir, "nb.ipynb")
		require.NoError(t, os.WriteFile(path, nb, 0o600))
		return path
	}
	source := notebook(t.TempDir())
	const old = "what was there before"
	cell := func(code string) []string { return []string{"-e", code} }
	const arrayFile = `if err := np.Save("old.npy", np.Zeros(100_000)); err != nil { panic(err) }`
	for i, c := range []struct {
		file string
		args []string
	}{
		{"old.html", cell(`if err := viz.Save("old.html", viz.Line([]int{1, 2}, []int{3, 4})); err != nil { panic(err) }`)},
		{"old.png", cell(`if err := viz.Save("old.png", viz.HeatMap(np.Sin(np.Arange(90_000)).Reshape(300, 300))); err != nil { panic(err) }`)},
		{"old.npy", cell(arrayFile)},
		{"old.csv", cell(`if err := np.SaveCSV("old.csv", np.Arange(100_000)); err != nil { panic(err) }`)},
		{"old.html", []string{"export", source, "-o", "old.html"}},
		{"old.md", []string{"export", source, "--to", "md", "-o", "old.md"}},
		{"old.go", []string{"export", source, "--to", "go", "-o", "old.go"}},
		{"nb.html", []string{"export", filepath.Dir(source), "--saved", "-o", "."}},
		{"old.ipynb", []string{"run", source, "-o", "old.ipynb"}},
		{"old.json", []string{"gpu", "calibrate", "--device", "sim:tiny", "-o", "old.json"}},
	} {
		for k, way := range []string{"size of files", "disk"} {
			if !testsize.Part(i+k, 3) {
				continue
			}
			dir, limit := t.TempDir(), "trap '' XFSZ; ulimit -f 16; "
			if way == "disk" {
				if dir, limit = smallDisk(t), ""; dir == "" {
					continue
				}
			}
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(old), 0o644))
			if way == "disk" { // nothing is left
				assert.ErrorIs(t, os.WriteFile(filepath.Join(dir, "full"), make([]byte, 64<<10), 0o644), syscall.ENOSPC)
			} else if c.file == "old.json" {
				continue // it is smaller than what a session must write
			}
			cmd := exec.Command("sh", append([]string{"-c", limit + `exec "$0" "$@"`, binary}, c.args...)...)
			cmd.Env, cmd.Dir = environment(t.TempDir()), dir
			out, err := cmd.CombinedOutput()
			assert.Error(t, err, "%s, %v", way, c.args)
			assert.Regexp(t, "no space left|file too large", string(out), "%s, %v", way, c.args)
			kept, err := os.ReadFile(filepath.Join(dir, c.file))
			assert.NoError(t, err)
			assert.Equal(t, old, string(kept), "%s, %v", way, c.args)
			files, err := os.ReadDir(dir)
			assert.NoError(t, err)
			for _, f := range files { // of a site there may be what has room
				assert.NotContains(t, f.Name(), ".tmp", "%s, %v", way, c.args)
			}
		}
	}
}
