// Package frames has tables: columns of one length, each a lazy array with a name.
//
// Start with [Read] and [New]. What a column does is the business of package lazy: t.Col("total").Mul(2) is a placeholder as
// any other, fused and offloaded with what it meets. Rows are chosen with [Table.Where], whole groups of them summed with
// [Table.GroupBy]. Missing values are NaN, NaT and empty text, and are treated as pandas does: they are in no group, and no
// sum, mean, minimum or count knows of them.
//
// It is a small package on purpose: there is no index of rows, and no join.
package frames
