// Package storage is where bytes of the host are that are not memory of the program's own: in a file that is mapped, or
// in a range of a file. [Source] is the one type for all of them.
//
// The package knows nothing of arrays, of devices or of what is computed.
package storage
