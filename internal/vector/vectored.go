//go:build !portable

package vector

// portable is set by the build tag of that name.
const portable = false
