package ixgo

import (
	"bytes"
	"fmt"
	"go/types"
	_ "unsafe" // for go:linkname

	"github.com/goplus/ixgo"
)

// registeredPatches are the sources of the parts of packages that ixgo interprets, by path.
//
//go:linkname registeredPatches github.com/goplus/ixgo.registerPatchs
var registeredPatches map[string][]any

// iter.Pull and Pull2 of ixgo v1.1.1 take values through any, and panic when one is a nil interface.
func init() {
	src := registeredPatches["iter"][0].([]byte)
	for _, change := range []struct{ old, mended string }{
		{"return r.(V), true\n", "v, _ := r.(V); return v, true\n"},
		{"return r1.(K), r2.(V), true\n", "k, _ := r1.(K); v, _ := r2.(V); return k, v, true\n"},
	} {
		if bytes.Count(src, []byte(change.old)) != 1 {
			panic("the version of ixgo has changed: its iter.Pull has no " + change.old)
		}
		src = bytes.Replace(src, []byte(change.old), []byte(change.mended), 1)
	}
	registeredPatches["iter"][0] = src
}

// patches reads the sources of a package's interpreted parts when the package is imported. ixgo would read those of all
// packages for each session, which was three quarters of what a further session took.
type patches struct {
	ctx  *ixgo.Context
	read map[string]error // of the packages whose patches were read, by path: what was wrong with them
}

// of reads the patches of the package path, once.
func (p *patches) of(path string) error {
	if err, ok := p.read[path]; ok {
		return err
	}
	p.read[path] = nil
	for _, src := range registeredPatches[path] {
		if err := p.ctx.RegisterPatch(path, src); err != nil {
			p.read[path] = fmt.Errorf("the interpreted part of package %s: %w", path, err)
			break
		}
	}
	return p.read[path]
}

// Import implements ixgo.Loader. ixgo's importer calls it before it looks for a package's patch.
func (c *typeCache) Import(path string) (*types.Package, error) {
	if err := c.patches.of(path); err != nil {
		return nil, err
	}
	return c.Loader.Import(path)
}
