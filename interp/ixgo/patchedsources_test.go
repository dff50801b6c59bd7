package ixgo

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A session reads the interpreted parts of the packages that it imports, and of no others.
func TestPatchesAreReadByImports(t *testing.T) {
	e := New().(*Engine)
	read := func() (paths []string) {
		for path := range registeredPatches {
			if e.ctx.SourcePackage(path+"@patch") != nil {
				paths = append(paths, path)
			}
		}
		return paths
	}
	require.Greater(t, len(registeredPatches), 5)
	assert.Empty(t, read())
	for range 2 {
		pkg, err := e.Import("hash/maphash")
		require.NoError(t, err)
		require.NotNil(t, pkg.Scope().Lookup("Comparable"), "a generic function")
		assert.Contains(t, read(), "hash/maphash")
	}
	assert.NotContains(t, read(), "crypto/hkdf")

	registeredPatches["unicode"] = []any{[]byte("package unicode; func {")}
	defer delete(registeredPatches, "unicode")
	err := New().(*Engine).loader.patches.of("unicode")
	require.ErrorContains(t, err, "the interpreted part of package unicode")
	assert.ErrorContains(t, err, "unicode_patch.go")
}
