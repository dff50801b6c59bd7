package typeinfo

import (
	"go/types"
	"strings"
)

// PatchSuffix ends the path of such a part.
const PatchSuffix = "@patch"

// PackagePath is the path of a package for the user.
func PackagePath(pkg *types.Package) string { return strings.TrimSuffix(pkg.Path(), PatchSuffix) }
