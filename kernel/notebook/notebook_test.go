package notebook

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// What nbformat would do to testdata/old.ipynb: version 4.5, an id for each cell, and nothing else.
func TestRoundTrip(t *testing.T) {
	nb, err := Read("testdata/old.ipynb")
	require.NoError(t, err)
	if nb.Cells[0].Source != "# Title\ntext" || nb.Cells[1].Outputs[0]["text"] != "a\nb\n" || nb.Cells[1].Count != 7 {
		t.Errorf("read %+v", nb.Cells[1])
	}
	data, err := nb.JSON()
	require.NoError(t, err)
	before, _ := os.ReadFile("testdata/old.ipynb")
	want, got := decode(t, before), decode(t, data)
	if got["nbformat_minor"] != json.Number("5") {
		t.Error("version", got["nbformat_minor"])
	}
	got["nbformat_minor"] = want["nbformat_minor"]
	ids := map[any]bool{}
	for _, c := range got["cells"].([]any) {
		ids[c.(map[string]any)["id"]] = true
		delete(c.(map[string]any), "id")
	}
	if len(ids) != 3 || ids[nil] || ids[""] {
		t.Errorf("ids %v", ids)
	}
	want["cells"].([]any)[1].(map[string]any)["source"] = []any{"one line"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%s\nwant\n%s", data, before)
	}
	for _, text := range []string{"1e400", "2.50", "Zoë <z@example.org>"} {
		if !bytes.Contains(data, []byte(text)) {
			t.Errorf("%s is not written as it was", text)
		}
	}
	again, err := Parse(data)
	require.NoError(t, err)
	if twice, _ := again.JSON(); !bytes.Equal(twice, data) {
		t.Error("writing twice gives two texts")
	}
}

func decode(t *testing.T, data []byte) (v map[string]any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	require.NoError(t, dec.Decode(&v))
	return v
}

func TestLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":       {},
		"a":      {"a"},
		"a\n":    {"a\n"},
		"a\nb":   {"a\n", "b"},
		"\n\na ": {"\n", "\n", "a "},
	} {
		if got := lines(text); len(got) != len(want) || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	for text, want := range map[string]string{
		"":                                  "not a notebook",
		"[]":                                "not a notebook",
		`{"nbformat": 3, "worksheets": []}`: "nbconvert",
		`{"cells": []}`:                     "nbformat",
		`{"nbformat": 4}`:                   "no list of cells",
		`{"nbformat": 4, "cells": [7]}`:     "cell 1",
		`{"nbformat": 4, "cells": [{"source": [1]}]}`:     "cell 1: its source",
		`{"nbformat": 4, "cells": [{"source": "a"}, {}]}`: "cell 2: its source",
	} {
		path := filepath.Join(dir, "x.ipynb")
		os.WriteFile(path, []byte(text), 0o600)
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want the path and %q", text, err, want)
		}
	}
	if _, err := Read(filepath.Join(dir, "none.ipynb")); err == nil || !strings.Contains(err.Error(), "none.ipynb") {
		t.Error(err)
	}
}

func TestWriteReplacesWholeFilesOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.ipynb")
	nb, _ := Read("testdata/old.ipynb")
	require.NoError(t, nb.Write(path))
	os.Chmod(path, 0o600)
	good, _ := os.ReadFile(path)

	nb.Metadata["impossible"] = make(chan int)
	if err := nb.Write(path); err == nil {
		t.Error("a channel was written")
	}
	if now, _ := os.ReadFile(path); !bytes.Equal(now, good) {
		t.Error("a failed write changed the file")
	}
	delete(nb.Metadata, "impossible")

	link := filepath.Join(dir, "link.ipynb")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	nb.Metadata["author"] = "someone else"
	require.NoError(t, nb.Write(link))
	if now, _ := os.ReadFile(path); !bytes.Contains(now, []byte("someone else")) {
		t.Error("the file behind the link was not written")
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if err := nb.Write(filepath.Join(dir, "no", "x.ipynb")); err == nil {
		t.Error("wrote into a directory that is not there")
	}
	if left, _ := os.ReadDir(dir); len(left) != 2 {
		t.Errorf("left behind: %v", left)
	}
}

// nbformat itself is the judge of what is written, and of what it would have written.
func TestNbformatAgrees(t *testing.T) {
	testsize.InTurn(t, 0)
	python := judges.Python(t, "nbformat")
	nb, _ := Read("testdata/old.ipynb")
	nb.Cells[0].Metadata = nil // 1e400 is infinite for Python
	delete(nb.fields, "future_field")
	if err := Run(t.Context(), nb, script{}, Options{AllowErrors: true}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.ipynb")
	require.NoError(t, nb.Write(path))
	out, err := exec.Command(python, "-c", `
import nbformat, sys
text = open(sys.argv[1], encoding="utf-8").read()
nb = nbformat.reads(text, as_version=4)
nbformat.validate(nb)
assert nbformat.writes(nb) + "\n" == text, nbformat.writes(nb)`, path).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
