// Package operators holds the tests of array expressions in cells: values, types, mistakes and names around operators,
// on both engines, by NumPy and by calls of package arrays. Its sessions are in a process apart from tests that collect
// garbage often: what a session has loaded would be walked by each collection.
package operators
