//go:build portable

package vector

// portable is set by the build tag of that name: then there are no loops, as on a processor that has none.
const portable = true
