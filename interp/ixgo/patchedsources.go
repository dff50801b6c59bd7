package ixgo

import (
	"bytes"
	_ "unsafe" // for go:linkname
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
