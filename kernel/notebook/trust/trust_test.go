package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// signed is a notebook, and jupyters its signature as nbformat 5.10 makes it with the secret "secret".
const (
	signed   = `{"cells":[{"cell_type":"code","execution_count":1,"id":"a","metadata":{"trusted":true,"x":1.0},"outputs":[{"output_type":"display_data","metadata":{},"data":{"application/json":[1,2.5,1e-7,1e22,100000.0,1E5,-0.0,true,null,123456789012345678901],"text/html":["<b>","é</b>"]}},{"output_type":"stream","name":"stdout","text":["a\n","b"]}],"source":["x\n","y"]},{"cell_type":"markdown","id":"b","metadata":{},"attachments":{"a.png":{"image/png":["A","A=="]}},"source":"z"}],"metadata":{"signature":"s","orig_nbformat":3},"nbformat":4,"nbformat_minor":5}`
	jupyters = "1476231f9e9c677024ce468908f3855388545dc4160412c81cd67cf9cf1e186f"
)

func TestJupytersSignature(t *testing.T) {
	dir := t.TempDir()
	s := Store{Jupyter: dir}
	assert.False(t, s.Knows([]byte(signed)))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notebook_secret"), []byte("secret"), 0o600))
	assert.False(t, s.Knows([]byte(signed)))
	db := strings.Repeat("x", 65_500) + jupyters + "sha256" // over the end of what is read at once
	require.NoError(t, os.WriteFile(filepath.Join(dir, "nbsignatures.db"), []byte(db), 0o600))
	assert.True(t, s.Knows([]byte(signed)))
	assert.False(t, s.Knows([]byte(strings.Replace(signed, `"z"`, `"Z"`, 1))))
	for _, bad := range []string{"", "[]", "null", "{", `{"cells": [1]}`, `{"cells": {}}`, `{"cells": [{"outputs": [1], "attachments": 1, "metadata": []}]}`} {
		assert.False(t, s.Knows([]byte(bad)), bad)
	}
}

func TestOwnSignatures(t *testing.T) {
	s := Store{Own: filepath.Join(t.TempDir(), "trusted")}
	assert.False(t, s.Knows([]byte(signed)))
	require.NoError(t, s.Remember([]byte(signed)))
	require.NoError(t, s.Remember([]byte(signed)))
	assert.True(t, s.Knows([]byte(signed)))
	assert.True(t, s.Knows([]byte(strings.Replace(signed, `["x\n","y"]`, `"x\ny"`, 1))), "the form of the text does not count")
	assert.False(t, s.Knows([]byte(strings.Replace(signed, `"stdout"`, `"stderr"`, 1))))
	assert.False(t, Store{}.Knows([]byte(signed)))
	data, err := os.ReadFile(s.Own)
	require.NoError(t, err)
	assert.Len(t, strings.Fields(string(data)), 1)
}
