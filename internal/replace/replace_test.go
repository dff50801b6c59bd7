package replace

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func TestFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	content := func(want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("the file has %q %v, want %q", got, err, want)
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%d files are left: %v", len(files), files)
		}
	}
	if err := File(path, false, text("one")); err != nil {
		t.Fatal(err)
	}
	content("one")
	failed := errors.New("failed")
	if err := File(path, true, func(w io.Writer) error { text("half")(w); return failed }); err != failed {
		t.Errorf("a failed writing gives %v", err)
	}
	content("one")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := File(path, true, text("two")); err != nil {
		t.Fatal(err)
	}
	content("two")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the permissions are %v %v, and were 600", info.Mode().Perm(), err)
	}
	if err := File(filepath.Join(dir, "none", "a.txt"), false, text("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a directory that is not there gives %v", err)
	}
	if err := File(dir, false, text("x")); err == nil {
		t.Error("a directory was replaced")
	}
}

func TestLinksAndPipes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links take rights that tests do not have")
	}
	dir, there := t.TempDir(), t.TempDir()
	real, link := filepath.Join(there, "real"), filepath.Join(dir, "link")
	if err := errors.Join(File(real, false, text("old")), os.Symlink(real, link), File(link, false, text("new"))); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", info.Mode(), err)
	}
	if got, _ := os.ReadFile(real); string(got) != "new" {
		t.Errorf("the file behind the link has %q", got)
	}
	if err := File(os.DevNull, false, text("gone")); err != nil {
		t.Errorf("a device: %v", err)
	}
}
