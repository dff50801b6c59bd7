// Package arrow lets package arrays read and write files of Arrow's columnar format, as image/png lets package image
// read PNG: a program that uses arrays alone, and calls LoadArrow, SaveArrow and their kin or names such a file to
// LoadTable or SaveTable, imports it for that.
//
//	import _ "github.com/arrayrepl/arrayrepl/arrays/arrow"
//
// What uses package lazy, as cells do, has it already. It is apart since the library behind it, arrow-go, is larger
// than package arrays.
package arrow

import _ "github.com/arrayrepl/arrayrepl/internal/arrowtable" // registers itself
