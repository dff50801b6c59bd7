package magic

import (
	"archive/zip"
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// serveModule lets the go command fetch one module, example.com/one v1.0.0, and no other.
func serveModule(t *testing.T) {
	t.Helper()
	judges.Command(t, "go")
	const mod = "module example.com/one\n\ngo 1.26\n"
	var b bytes.Buffer
	zw := zip.NewWriter(&b)
	for name, text := range map[string]string{"go.mod": mod, "sub/sub.go": "package sub\n\nconst Name = \"sub of one\"\n"} {
		w, err := zw.Create("example.com/one@v1.0.0/" + name)
		require.NoError(t, err)
		_, err = w.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, zw.Close())
	proxy := t.TempDir()
	dir := filepath.Join(proxy, "example.com", "one", "@v")
	require.NoError(t, os.MkdirAll(dir, 0o755))
	for name, text := range map[string]string{"list": "v1.0.0\n", "v1.0.0.mod": mod, "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.zip": b.String()} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	t.Setenv("GOPROXY", "file://"+filepath.ToSlash(proxy))
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("GOFLAGS", "-modcacherw")
}

func TestAutoGet(t *testing.T) {
	serveModule(t)
	f := newFixture(t, Options{})
	const cell = "import \"example.com/one/sub\"\nsub.Name"
	assert.Equal(t, "imports fetch modules: off\n", f.run(1, "%autoget"))
	assert.Contains(t, f.run(2, cell), "fetch it by the line %get example.com/one/sub, or let imports fetch by %autoget on")
	assert.Contains(t, f.run(3, "%autoget maybe"), `"maybe" is neither on nor off`)
	assert.Equal(t, "", f.run(4, "%autoget on"))
	got := f.run(5, cell)
	assert.Contains(t, got, "downloading example.com/one v1.0.0")
	assert.Contains(t, got, "example.com/one v1.0.0\nsub of one\n") // what the notebook carries, and the result
	assert.Equal(t, "sub of one\n", f.run(6, cell))
	got = f.run(7, "x := 1\nimport \"example.com/none\"")
	assert.Contains(t, got, "%autoget: go get: ")
	assert.Contains(t, got, "cell 7, line 2")
	assert.Contains(t, f.run(8, "import \"nodots/none\""), `no package "nodots/none"`)

	require.NoError(t, os.MkdirAll(filepath.Join(f.dir, "tools"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(f.dir, "tools", "tools.go"), []byte("package tools\n\nfunc Two() int { return 2 }\n"), 0o644))
	assert.Equal(t, "./tools is tools\n", f.run(9, "%get ./tools"))
	assert.Equal(t, "2\n", f.run(10, "import \"tools\"\ntools.Two()"))

	on := newFixture(t, Options{AutoGet: true})
	assert.Contains(t, on.run(1, cell), "sub of one\n")
}
