//go:build unix

package replace

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets tests run this program as another process: it begins to write the file that is named, and does not end.
func TestMain(m *testing.M) {
	if path := os.Getenv("REPLACE_AND_WAIT"); path != "" {
		File(path, false, func(w io.Writer) error {
			fmt.Println("writing")
			select {}
		})
	}
	if path := os.Getenv("REPLACE_WITHOUT_ROOM"); path != "" {
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100, Max: 100}); err != nil {
			fmt.Println("setrlimit:", err)
		}
		fmt.Println(Bytes(path, make([]byte, 4<<20)))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestPermissionsOfNewFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	for umask, want := range map[int]os.FileMode{0o077: 0o600, 0o022: 0o644, 0o002: 0o664, 0o027: 0o640} {
		before := syscall.Umask(umask)
		err := File(path, false, text("x"))
		syscall.Umask(before)
		require.NoError(t, err)
		info, err := os.Stat(path)
		require.NoError(t, err)
		assert.Equal(t, want, info.Mode().Perm(), "umask %o", umask)
		require.NoError(t, os.Remove(path))
	}
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	require.NoError(t, os.Chmod(path, 0o666))
	before := syscall.Umask(0o077)
	err := File(path, false, text("y"))
	syscall.Umask(before)
	require.NoError(t, err)
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o666), info.Mode().Perm(), "an old file's permissions stay")
}

// TestTemporaryFilesOfDeadProcesses: what a process that was killed has left goes with the next File, what one that
// runs is writing stays.
func TestTemporaryFilesOfDeadProcesses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	begin := func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "REPLACE_AND_WAIT="+path)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		_, err = out.Read(make([]byte, 7))
		require.NoError(t, err)
		return cmd
	}
	killed, running := begin(), begin()
	defer running.Wait()
	defer running.Process.Kill()
	require.NoError(t, killed.Process.Kill())
	killed.Wait()
	files, _ := os.ReadDir(dir)
	assert.Len(t, files, 2)
	require.NoError(t, File(path, false, text("x")))
	files, _ = os.ReadDir(dir)
	assert.Len(t, files, 2, "the file, and what the other process writes: %v", files)
}

// TestNoRoom: where there is no room for the new content, the old one stays.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.txt")
	require.NoError(t, os.WriteFile(path, []byte("old"), 0o644))
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REPLACE_WITHOUT_ROOM="+path)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err)
	assert.Contains(t, string(out), "file too large")
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, "old", string(content))
	files, _ := os.ReadDir(dir)
	assert.Len(t, files, 1)
}

// TestTemporaryNames: only what this package has named is taken for a temporary file.
func TestTemporaryNames(t *testing.T) {
	f, err := temporary(filepath.Join(t.TempDir(), "a.b-c.txt"), 0o600)
	require.NoError(t, err)
	defer f.Close()
	pid, ok := writer(filepath.Base(f.Name()), machine())
	assert.True(t, ok)
	assert.Equal(t, os.Getpid(), pid)
	for _, name := range []string{
		"a.txt", ".a.tmp", ".a." + machine() + "-12.tmp", ".a." + machine() + "-x.3.tmp", "a." + machine() + "-12.3.tmp",
		".a." + machine() + "-12.3", ".a.other-12.3.tmp", ".a." + machine() + "-0.3.tmp", ".a." + machine() + "--1.3.tmp",
	} {
		_, ok := writer(name, machine())
		assert.False(t, ok, name)
	}
}
