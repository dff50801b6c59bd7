package modules

import (
	"path"
	"strings"

	"github.com/arrayrepl/arrayrepl/internal/lazyregexp"
)

var majorVersion = lazyregexp.New(`^v[0-9]+$`)

// EndsInVersion reports whether the last element of an import path is a major version, as in math/rand/v2.
func EndsInVersion(p string) bool { return majorVersion.MatchString(path.Base(p)) }

// BaseName is what a package of that path is called when nothing else is known.
func BaseName(p string) string {
	if EndsInVersion(p) {
		return path.Base(path.Dir(p))
	}
	return path.Base(p)
}

// IsInternal reports whether only packages of one tree may import a path.
func IsInternal(p string) bool {
	return p == "internal" || strings.HasPrefix(p, "internal/") || strings.Contains(p, "/internal")
}
