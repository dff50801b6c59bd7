package program

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/interp"
)

// embeds is a program of two files that embed others, by name.
var embeds = map[string]string{
	"go.mod":               "module example.com/embeds\n\ngo 1.26\n",
	"text/.dot":            "dot",
	"text/_under":          "under",
	"text/a.txt":           "a \"quoted\"\n",
	"text/sub/.more/b.txt": "b",
	"text/sub/c.txt":       "c\x00\xff",
	"text/sub.txt":         "after sub",
	"with space.md":        "space",
	"main.go": `package main

import (
	"embed"
	"fmt"
	"io/fs"
)

//go:embed text/*
var glob embed.FS

//go:embed text
var plain embed.FS

//go:embed all:text
var all embed.FS

//go:embed text/a.txt "with space.md"
//go:embed all:text/sub
var several embed.FS

//go:embed text/a.txt
var one string

var (
	//go:embed "with space.md"
	bytes []byte
)

func show(f fs.FS) {
	fs.WalkDir(f, ".", func(p string, d fs.DirEntry, err error) error {
		raw, _ := fs.ReadFile(f, p)
		info, _ := d.Info()
		fmt.Printf("%s %v %q %v %d %v\\n", p, d.IsDir(), raw, info.Mode(), info.Size(), err)
		return err
	})
}

func main() {
	for _, f := range []fs.FS{glob, plain, all, several, other} {
		show(f)
	}
	_, err := plain.Open("text/.dot")
	fmt.Println(one, string(bytes), err)
	sub, _ := fs.Sub(all, "text/sub")
	show(sub)
	names, _ := fs.Glob(all, "text/*.txt")
	fmt.Println(names)
}
`,
	"other.go": `package main

import e "embed"

//go:embed text/sub
var other e.FS
`,
}

// A program's own files embed what compiled Go embeds.
func TestProgramsEmbed(t *testing.T) {
	judges.Command(t, "go")
	dir := t.TempDir()
	for name, text := range embeds {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	cmd := exec.Command("go", "run", ".")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -mod=mod", "GOWORK=off")
	want, err := cmd.CombinedOutput()
	require.NoError(t, err, string(want))

	p, err := Read([]string{filepath.Join(dir, "main.go"), filepath.Join(dir, "other.go")})
	require.NoError(t, err)
	s, err := interp.New(interp.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { s.Close() })
	var got bytes.Buffer
	s.Redirect(func(_ context.Context, _ string, text []byte) error {
		got.Write(text)
		return nil
	})
	_, err = s.Run(context.Background(), 1, p.Source)
	require.NoError(t, err)
	assert.Equal(t, string(want), got.String())
}
