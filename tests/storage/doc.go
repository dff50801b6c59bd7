// Package storage holds the tests of arrays whose elements are in files: computed on every device, with files that are
// cut, replaced or removed while they are in use.
package storage
