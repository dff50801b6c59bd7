package modules

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// user writes a module with an internal package, and a module beside it, and returns their directory.
func user(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"app/go.mod":              "module example.com/app\n\ngo 1.24\n\nrequire example.com/far v1.2.3\n",
		"app/geo/geo.go":          "package geo\n\nimport (\n\t_ \"example.com/app/internal/rules\"\n\t_ \"example.com/far/away\"\n\t_ \"fmt\"\n)\n",
		"app/internal/rules/r.go": "package rules\n",
		"other/go.mod":            "module example.com/other\n\ngo 1.24\n",
		"other/x.go":              "package odd\n",
		"other/in/internal/y.go":  "package internal\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	return dir
}

// TestSet finds packages without a session and without the go command.
func TestSet(t *testing.T) {
	dir := user(t)
	brought := map[string]Source{"brought/along": {Files: fstest.MapFS{"a.go": {Data: []byte("package along\n")}}}}
	m, err := New(filepath.Join(dir, "app"), brought, map[string]bool{"fmt": true})
	require.NoError(t, err)

	assert.Equal(t, "along", m.Package("brought/along").Name)
	text, err := m.ReadFile(m.Package("brought/along"), "a.go")
	require.NoError(t, err)
	assert.Equal(t, "package along\n", string(text))

	assert.Nil(t, m.Package("example.com/app/geo"), "before it is looked for")
	require.NoError(t, m.Find("example.com/app/geo"))
	geo := m.Package("example.com/app/geo")
	assert.True(t, geo.IsOwn())
	assert.NoError(t, geo.MayImport("example.com/app/internal/rules"))
	assert.ErrorContains(t, geo.MayImport("example.com/other/in/internal"), "may import it")
	assert.NotNil(t, m.Package("example.com/app/internal/rules"), "as geo imports it")
	assert.ErrorContains(t, m.Find("example.com/app/none"), "has no package example.com/app/none")

	assert.Equal(t, "v1.2.3", m.Required("example.com/far/away").Version)
	_, want, _ := m.Renew([]string{"example.com/app/geo"})
	assert.Equal(t, []string{"example.com/far/away"}, want, "the go command must find it")
	assert.Equal(t, []string{"example.com/else"}, m.Missing([]string{"example.com/app/geo", "example.com/else", "fmt"}))

	path, name, err := m.AddDir(filepath.Join(dir, "other"))
	require.NoError(t, err)
	assert.Equal(t, []string{"example.com/other", "odd"}, []string{path, name})
	assert.Contains(t, m.Names("example.com/o"), "example.com/other")
	assert.NotContains(t, m.Names("example.com/o"), "example.com/other/in/internal")

	require.NoError(t, os.WriteFile(geoFile(dir), []byte("package geo\n\nconst N = 1\n"), 0o644))
	renewed, _, _ := m.Renew([]string{"example.com/app/geo"})
	assert.Contains(t, renewed.Old, "example.com/app/geo", "its file has changed")
	assert.Empty(t, m.Package("example.com/app/geo").Imports, "it has been listed again")
}

func geoFile(dir string) string { return filepath.Join(dir, "app", "geo", "geo.go") }

// TestSetFromManyGoroutines is for the race detector: cells are checked while others are completed and fetched.
func TestSetFromManyGoroutines(t *testing.T) {
	dir := user(t)
	m, err := New(filepath.Join(dir, "app"), nil, map[string]bool{"fmt": true})
	require.NoError(t, err)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 10 {
				assert.NoError(t, m.Find("example.com/app/geo"))
				m.Renew([]string{"example.com/app/geo"})
				assert.Contains(t, m.Names("example.com/app"), "example.com/app/geo")
				m.Use(&Fetched{found: map[string]*Package{"example.com/far/away": {ImportPath: "example.com/far/away"}}})
				assert.True(t, m.Importable("example.com/far/away"))
			}
		})
	}
	all.Wait()
}
