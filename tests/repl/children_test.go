package repl_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestChildrenEndWithTheTerminal: what cells have started ends with the session, also what has left it by setsid.
func TestChildrenEndWithTheTerminal(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("other systems do not tell what has left its parents")
	}
	mark := fmt.Sprint(700_000_000 + os.Getpid())
	cells := `exec.Command("sh", "-c", "setsid sleep MARK & exit 0").Run()` + "\n" + `exec.Command("sleep", "MARK").Start()` + "\n!setsid sleep MARK > /dev/null 2>&1 &\n"
	_, stderr, code := pipe(t, strings.ReplaceAll(cells, "MARK", mark))
	require.Zero(t, code, stderr)
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range all {
		args, _ := os.ReadFile(file)
		assert.False(t, bytes.HasPrefix(args, []byte("sleep\x00"+mark)), "%s goes on", file)
	}
}
