package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/arrayrepl/arrayrepl/internal/judges"
	"github.com/arrayrepl/arrayrepl/internal/testsize"
)

// TestCheck makes a module in which each platform has one mistake, of a kind that go vet, the compiler or the type
// checker finds.
func TestCheck(t *testing.T) {
	testsize.InTurn(t, 2)
	judges.Command(t, "go")
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":           "module example.com/module\n\ngo 1.26\n",
		"all.go":           "package module\n\nimport \"fmt\"\n\nfunc Name() string { return fmt.Sprint(name()) }\n",
		"all_test.go":      "package module\n\nimport \"testing\"\n\nfunc TestName(t *testing.T) { t.Log(Name()) }\n",
		"a_linux.go":       "package module\n\nfunc name() string { return \"linux\" }\n",
		"a_windows.go":     "package module\n\nfunc name() int { return \"windows\" }\n",
		"a_darwin.go":      "package module\n\nfunc name() string\n",
		"a_freebsd.go":     "package module\n\nimport \"fmt\"\n\nfunc name() string { return fmt.Sprintf(\"%d\", \"freebsd\") }\n",
		"a_tagged.go":      "//go:build tagged\n\npackage module\n\nvar _ = none\n",
		"a_other.go":       "//go:build !linux && !windows && !darwin && !freebsd && !openbsd\n\npackage module\n\nfunc name() string { return \"\" }\n",
		"b_netbsd_test.go": "package module_test\n\nvar n int = Name()\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for _, c := range []struct{ platform, tags, want string }{
		{"linux/amd64", "", ""},
		{"linux/arm64", "tagged", "a_tagged.go:5:9: undefined: none"},
		{"windows/amd64", "", "a_windows.go:3:26: cannot use \"windows\""},
		{"darwin/arm64", "", "a_darwin.go:3:1: name has no body"},
		{"freebsd/amd64", "", "a_freebsd.go:5:42: fmt.Sprintf format %d has arg \"freebsd\" of wrong type string"},
		{"openbsd/amd64", "", "all.go:5:40: undefined: name"},
		{"netbsd/amd64", "", "b_netbsd_test.go:3:13: undefined: Name"},
	} {
		found, n, err := check(dir, c.platform, c.tags)
		require.NoError(t, err, c.platform)
		require.GreaterOrEqual(t, n, 3, "the package, with its tests, and their program")
		if c.want == "" {
			require.Empty(t, found, c.platform)
			continue
		}
		require.Len(t, found, 1, "%s: %q", c.platform, found)
		require.Contains(t, strings.TrimPrefix(found[0], dir+string(filepath.Separator)), c.want)
	}
	_, _, err := check(dir, "linux", "")
	require.ErrorContains(t, err, "a platform is GOOS/GOARCH")
}
