//go:build unix

package interp

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestFilesWithoutAnEnd: what stands in the place of a file of code or of the go command in a user's own module, and is
// none, is an error that names it, at once.
func TestFilesWithoutAnEnd(t *testing.T) {
	odd := map[string]func(name string) error{
		"a device": func(name string) error { return os.Symlink("/dev/zero", name) },
		"a pipe":   func(name string) error { return unix.Mkfifo(name, 0o600) },
		"larger than": func(name string) error {
			if err := os.WriteFile(name, nil, 0o600); err != nil {
				return err
			}
			return os.Truncate(name, 10<<30)
		},
		"a directory": func(name string) error { return os.Mkdir(name, 0o700) },
	}
	for name, where := range map[string]string{
		"source": "user/p/main.go", "test": "user/p/p_test.go", "for another system": "user/p/p_windows.go", "embedded": "user/p/data.txt",
		"module": "user/go.mod", "workspace": "user/go.work", "sums": "user/go.sum", "sums of a workspace": "user/go.work.sum", "vendor": "user/vendor/modules.txt",
	} {
		for kind, put := range odd {
			if kind == "a directory" && (name == "module" || name == "workspace" || name == "source" || name == "test" || name == "for another system") {
				continue // none of these, as for the go command
			}
			t.Run(name+"/"+kind, func(t *testing.T) {
				dir := t.TempDir()
				writeFile(t, filepath.Join(dir, "user/go.mod"), "module example.com/user\n\ngo 1.24\n")
				writeFile(t, filepath.Join(dir, "user/p/p.go"), "package p\n\nimport _ \"embed\"\n\n//go:embed data.txt\nvar Data string\n")
				writeFile(t, filepath.Join(dir, "user/p/data.txt"), "data")
				if name == "sums of a workspace" {
					writeFile(t, filepath.Join(dir, "user/go.work"), "go 1.24\n\nuse .\n")
				}
				at := filepath.Join(dir, where)
				require.NoError(t, os.MkdirAll(filepath.Dir(at), 0o700))
				require.NoError(t, os.RemoveAll(at))
				require.NoError(t, put(at))
				t.Chdir(filepath.Join(dir, "user"))
				r := newRecorder(t, Options{Dir: filepath.Join(dir, "user")})
				got := r.Run(1, "import \"example.com/user/p\"\nlen(p.Data)")
				assert.Contains(t, got, filepath.Base(where))
				if name != "embedded" { // it has the go command's words
					assert.Contains(t, got, kind)
				}
				assert.Less(t, len(got), 1000)
			})
		}
	}
}

// TestDirectoryLoops: a link to a directory above is not an endless tree of packages.
func TestDirectoryLoops(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "go.mod"), "module example.com/user\n\ngo 1.24\n")
	writeFile(t, filepath.Join(dir, "p/p.go"), "package p\n\nimport \"embed\"\n\n//go:embed tree\nvar Tree embed.FS\n")
	writeFile(t, filepath.Join(dir, "p/tree/a.txt"), "a")
	require.NoError(t, os.Symlink("..", filepath.Join(dir, "p/tree/loop")))
	require.NoError(t, os.Symlink(".", filepath.Join(dir, "self")))
	t.Chdir(dir)
	r := newRecorder(t, Options{Dir: dir})
	assert.Contains(t, r.Run(1, "import \"example.com/user/p\"\nb, err := p.Tree.ReadFile(\"tree/a.txt\")\nfmt.Println(string(b), err)"), "a <nil>")
}
