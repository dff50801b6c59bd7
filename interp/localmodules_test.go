package interp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/arrayrepl/arrayrepl/interp/internal/judge"
)

// unpack writes the files of an archive below dir/user, and makes the directory at of it the working directory.
func unpack(t *testing.T, archive, at string) (root string) {
	t.Helper()
	ar, err := txtar.ParseFile(archive)
	require.NoError(t, err)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	root = filepath.Join(dir, "user")
	for _, f := range ar.Files {
		writeFile(t, filepath.Join(root, filepath.FromSlash(f.Name)), string(f.Data))
	}
	t.Chdir(filepath.Join(root, at))
	return root
}

// TestLocalModules runs the sessions of testdata/local over modules of a user's own. The cells of a session may be, beside Go, the
// steps "%get QUERY" and "%write FILE", which writes the lines that follow. A session whose name ends with "(no go command)" has
// none.
func TestLocalModules(t *testing.T) {
	files, err := filepath.Glob("testdata/local/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		intro, all := judge.Transcripts(t, file)
		text := intro
		for _, tr := range all {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".txt")+"/"+tr.Name, func(t *testing.T) {
				archive, err := filepath.Abs(strings.TrimSuffix(file, ".txt") + ".txtar")
				require.NoError(t, err)
				serveModules(t)
				root := unpack(t, archive, "notebooks")
				if strings.HasSuffix(tr.Name, "(no go command)") {
					t.Setenv("PATH", t.TempDir())
				}
				r := newRecorder(t, Options{Dir: filepath.Join(root, "notebooks")})
				stderr := os.Stderr
				os.Stderr = os.Stdout // what the session says is part of the transcript
				t.Cleanup(func() { os.Stderr = stderr })
				text += "## " + tr.Name + "\n"
				for i, c := range tr.Cells {
					got := strings.ReplaceAll(step(t, r, i+1, c.Src), filepath.Dir(root), "DIR")
					got = strings.ReplaceAll(got, os.Getenv("GOPROXY"), "PROXY")
					text += "> " + strings.ReplaceAll(strings.TrimSuffix(c.Src, "\n"), "\n", "\n> ") + "\n" + got + "\n"
					if !*update {
						require.Equal(t, strings.TrimSpace(c.Want), strings.TrimSpace(got), "cell %d:\n%s", i+1, c.Src)
					}
				}
			})
		}
		if *update {
			text = strings.ReplaceAll(text, "> \n", ">\n")
			require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(file), filepath.Base(file)), []byte(strings.TrimRight(text, "\n")+"\n"), 0o644))
		}
	}
}

func step(t *testing.T, r *recorder, n int, src string) string {
	t.Helper()
	first, rest, _ := strings.Cut(src, "\n")
	if query, ok := strings.CutPrefix(first, "%get "); ok {
		if err := r.session.Get(context.Background(), query, nil); err != nil {
			return fmt.Sprintln(err)
		}
		return ""
	}
	if name, ok := strings.CutPrefix(first, "%write "); ok {
		writeFile(t, name, rest)
		return ""
	}
	return r.Run(n, src)
}
