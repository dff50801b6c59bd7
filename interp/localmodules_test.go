package interp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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

// TestLocalModules runs the sessions of testdata/local over modules of a user's own. The cells of a session may be,
// beside Go, the steps "%get QUERY" and "%write FILE", which writes the lines that follow. A session whose name ends
// with "(no go command)" has none.
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

// TestLocalAnswers: completion and inspection know packages of the user's own before any cell has imported them.
func TestLocalAnswers(t *testing.T) {
	archive, err := filepath.Abs("testdata/local/shop.txtar")
	require.NoError(t, err)
	root := unpack(t, archive, "notebooks")
	s, err := New(Options{Dir: filepath.Join(root, "notebooks")})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	for _, c := range [][2]string{
		{"import \"example.com/shop/p|\"", "example.com/shop/price: package price — Package price has prices."},
		{"import \"example.com/shop/internal/|\"", "example.com/shop/internal/round: package round"},
		{"import \"example.com/shop/cmd/|\"", ""},
		{"import \"example.com/shop/price\"\nprice.Sp|", "Split: func price.Split(p price.Price, n int) price.Price — Split divides a price."},
		{"import \"example.com/shop/price\"\nprice.New(1).St|", "String: func (p price.Price) String() string — String writes the price in euros."},
	} {
		src, cursor := cut(c[0])
		var got []string
		for _, m := range s.Complete(src, cursor).Matches {
			got = append(got, strings.TrimSuffix(m.Text+": "+m.Signature+" — "+m.Doc, " — "))
		}
		assert.Equal(t, c[1], strings.Join(got, "\n"), src)
	}
	_, err = s.Run(context.Background(), 1, "import \"example.com/shop/price\"")
	require.NoError(t, err)
	d, ok := s.Describe("price.Price", 11, 0)
	require.True(t, ok)
	require.Contains(t, d.Plain(), "Price is an amount in cents.")
}
