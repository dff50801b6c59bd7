//go:build nocuda || !linux

package cudabackend

// ways are how a GPU can be driven here.
var ways = map[string]maker{"in this process": newBench}
