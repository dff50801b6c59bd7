// Package weight bounds the sizes of programs that use the packages as a library.
package weight

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestWeight: the programs as `go build` makes them for Linux on amd64, with debugging information. The measured sizes
// (Go 1.26.8): 5.0, 26.0 and 28.9 million bytes. fmt alone is 2.4.
func TestWeight(t *testing.T) {
	for i, c := range []struct {
		program, prints string
		most            int64 // bytes
	}{
		{"./addition", "[5. 7. 9.]\n", 5_000_000},
		{"./simulated", "1000000\n", 26_500_000},
		{"../../gpu/example", "", 29_100_000}, // kernels of kernelgen on devices
	} {
		t.Run(filepath.Base(c.program), func(t *testing.T) {
			if i > 0 {
				testsize.InTurn(t, i)
			}
			exe := filepath.Join(t.TempDir(), "program")
			build := exec.Command(judges.Command(t, "go"), "build", "-o", exe, c.program)
			build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
			text, err := build.CombinedOutput()
			require.NoError(t, err, "%s", text)
			info, err := os.Stat(exe)
			require.NoError(t, err)
			require.LessOrEqual(t, info.Size(), c.most, "go tool nm -size -sort size, and go build -ldflags=-dumpdep, say what is linked and by whom")
			t.Logf("%d bytes", info.Size())
			if out, err := exec.Command(exe).Output(); err == nil && c.prints != "" { // else another system's
				require.Equal(t, c.prints, string(out))
			}
		})
	}
}

// TestAdditionIsAlone: what the program of arrays must not import, as the init of a package links what it names.
func TestAdditionIsAlone(t *testing.T) {
	out, err := exec.Command(judges.Command(t, "go"), "list", "-deps", "./addition").Output()
	require.NoError(t, err)
	have := strings.Fields(string(out))
	for _, heavy := range []string{"image/png", "image/jpeg", "image/gif", "testing", "flag", "net/http", "text/template", "go/types"} {
		require.NotContains(t, have, heavy)
	}
}

// TestTheStaticProgramOpensNothing: it needs no C library on Linux, as nothing in it opens others.
func TestTheStaticProgramOpensNothing(t *testing.T) {
	list := exec.Command(judges.Command(t, "go"), "list", "-deps", "-tags", "nocuda", "../../cmd/arrayrepl")
	list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	out, err := list.Output()
	require.NoError(t, err)
	require.NotContains(t, strings.Fields(string(out)), "github.com/ebitengine/purego")
}
