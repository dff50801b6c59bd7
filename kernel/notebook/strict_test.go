package notebook

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// What Jupyter does not open is not opened here: nbformat is asked where there is a Python that has it.
func TestAsStrictAsJupyter(t *testing.T) {
	testsize.InTurn(t, 1)
	const cells = `"cells": [{"cell_type": "code", "source": "1", "metadata": {}, "outputs": [], "execution_count": null}], "metadata": {}`
	dir := t.TempDir()
	var paths []string
	var opens []bool
	for i, c := range []struct {
		text  string
		opens bool
		says  string
	}{
		{`{"nbformat": 4, "nbformat_minor": 4, ` + cells + "}\n \t\r\n", true, ""},
		{"\ufeff" + `{"nbformat": 4, "nbformat_minor": 4, ` + cells + `}`, false, "byte order mark"},
		{`{"nbformat": "4", "nbformat_minor": 4, ` + cells + `}`, false, `the text "4"`},
		{`{"nbformat": 4.0, "nbformat_minor": 4, ` + cells + `}`, false, "4.0"},
		{`{"nbformat": "x", "nbformat_minor": 4, ` + cells + `}`, false, "nbformat is x"},
		{`{"nbformat": null, "nbformat_minor": 4, ` + cells + `}`, false, "no nbformat"},
		{`{"nbformat": 5, "nbformat_minor": 4, ` + cells + `}`, false, "nbformat is 5"},
		{`{"nbformat": 4, "nbformat_minor": "4", ` + cells + `}`, false, "nbformat_minor"},
		{`{"nbformat": 4, "nbformat_minor": 4.5, ` + cells + `}`, false, "nbformat_minor is 4.5"},
		{`{"nbformat": 4, "nbformat_minor": 4, ` + cells + `} x`, false, "after its end"},
		{`{"nbformat": 4, "nbformat_minor": 4, ` + cells + `}{}`, false, "after its end"},
		{"{\"nbformat\": 4, \"nbformat_minor\": 4, \"a\": \"\xff\", " + cells + `}`, false, "UTF-8"},
	} {
		_, err := Parse([]byte(c.text))
		if c.opens {
			require.NoError(t, err, c.text)
		} else {
			require.ErrorContains(t, err, c.says, c.text)
		}
		path := filepath.Join(dir, fmt.Sprint(i, ".ipynb"))
		require.NoError(t, os.WriteFile(path, []byte(c.text), 0o600))
		paths, opens = append(paths, path), append(opens, c.opens)
	}
	python := judges.Python(t, "nbformat")
	out, err := exec.Command(python, append([]string{"-W", "ignore", "-c", `
import json, nbformat, sys
def opens(path):
    try:
        nbformat.read(path, as_version=4)
    except Exception:
        return False
    return True
print(json.dumps([opens(p) for p in sys.argv[1:]]))`}, paths...)...).Output()
	require.NoError(t, err)
	want, _ := json.Marshal(opens)
	require.JSONEq(t, string(want), string(out))
}
