// Package partition says which elements of an array belong together: on a device, in a step of a computation that does
// not fit, or in a message. It knows boxes of indices and no arrays, devices or kernels, so that all of these can cut
// by one rule.
//
// Begin with [Box], the elements of a root; [Map], which of them an operation needs; and [Partition], boxes by colour.
// A [Projection] makes the colour of an argument from that of the work, a [Schedule] says where and when a colour is
// worked on.
//
// The terms are those of Legate (Bauer and Garland, "Legate NumPy", SC 2019): a dependent partition is the image of
// another under the map of an operation.
package partition
