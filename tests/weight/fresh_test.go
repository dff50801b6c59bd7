package weight

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
)

// peers are the modules that are here for the comparison with gophernotes alone, which go.mod names as a tool, and its
// dependencies.
var peers = []string{"github.com/gopherdata/gophernotes", "github.com/cosmos72/gomacro", "github.com/go-zeromq/zmq4", "github.com/go-zeromq/goczmq/v4", "github.com/peterh/liner", "github.com/gofrs/uuid"}

// TestFreshModule: a module that requires this one needs those modules alone that its packages import, resolves nothing
// of the peers' graphs and downloads none of them. Only their names are in go mod graph, as this go.mod has them.
func TestFreshModule(t *testing.T) {
	goCommand := judges.Command(t, "go")
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dir := t.TempDir()
	text, err := os.ReadFile("addition/main.go")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), text, 0o600))
	mod := fmt.Sprintf("module fresh\n\ngo 1.26.0\n\nrequire github.com/arrayrepl/arrayrepl v0.0.0\n\nreplace github.com/arrayrepl/arrayrepl => %s\n", root)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600))
	run := func(args ...string) string {
		c := exec.Command(goCommand, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "go %v: %s", args, out)
		return string(out)
	}
	run("list", "-deps", ".") // writes what is needed to go.mod and go.sum
	read := func(name string) string {
		b, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		return string(b)
	}
	var needs []string
	for line := range strings.Lines(read("go.mod")) {
		if name, _, indirect := strings.Cut(strings.TrimSpace(line), " // indirect"); indirect {
			needs = append(needs, strings.Fields(strings.TrimPrefix(name, "require "))[0])
		}
	}
	assert.Equal(t, []string{"golang.org/x/sys", "golang.org/x/text", "gonum.org/v1/gonum"}, needs)
	for line := range strings.Lines(run("mod", "graph")) {
		from, to, _ := strings.Cut(strings.TrimSpace(line), " ")
		for _, peer := range peers {
			assert.False(t, strings.HasPrefix(from, peer+"@"), "a peer's graph is resolved: %s", line)
			assert.False(t, strings.HasPrefix(to, peer+"@") && !strings.HasPrefix(from, "github.com/arrayrepl/arrayrepl@"), "%s", line)
		}
	}
	for line := range strings.Lines(read("go.sum")) {
		name, version, _ := strings.Cut(line, " ")
		for _, peer := range peers {
			assert.False(t, name == peer && !strings.Contains(version, "/go.mod "), "a peer is downloaded: %s", line)
		}
	}
	assert.Contains(t, run("doc", "github.com/arrayrepl/arrayrepl/arrays.Add"), "func Add(x, y ArrayLike) *Array")
	assert.Contains(t, run("doc", "github.com/arrayrepl/arrayrepl/lazy"), "package lazy")
}
