//go:build unix

package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSpecsHaveWhatTheUmaskLeaves: under umask 077 others see nothing of a kernelspec, under 022 they may read it.
func TestSpecsHaveWhatTheUmaskLeaves(t *testing.T) {
	for umask, want := range map[int]fs.FileMode{0o077: 0o700, 0o022: 0o755} {
		dir := filepath.Join(t.TempDir(), "kernels", "spec")
		before := syscall.Umask(umask)
		err := Spec{DisplayName: "x", Argv: []string{"x"}}.write(dir)
		syscall.Umask(before)
		require.NoError(t, err)
		info, err := os.Stat(dir)
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm())
		info, err = os.Stat(filepath.Join(dir, "kernel.json"))
		require.NoError(t, err)
		require.Equal(t, want&0o666, info.Mode().Perm())
		left, err := os.ReadDir(filepath.Dir(dir))
		require.NoError(t, err)
		require.Len(t, left, 1, "no temporary files")
	}
}
