//go:build tools

// Package pinned names the modules whose tests are run, so that go.mod and go.sum have their versions and all that
// their tests import.
package pinned

import (
	_ "github.com/emirpasic/gods/lists/arraylist"
	_ "github.com/samber/lo"
	_ "gonum.org/v1/gonum/floats"
)
