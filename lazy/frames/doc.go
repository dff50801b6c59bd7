// Package frames has tables: columns of one length, each a lazy array with a name.
//
// Start with [Read] and [New]. What a column does is the business of package lazy: t.Col("total").Mul(2) is a
// placeholder as any other, fused and offloaded with what it meets. Rows are chosen with [Table.Where], whole groups of
// them summed with [Table.GroupBy], rows of two tables put beside each other with [Table.Join].
//
// A [Column] knows which of its values are missing: NaN, NaT and empty text are, and whole numbers and bools have a
// mask. Missing values are treated as pandas does: they are in no group, no sum, mean, minimum or count knows of them,
// and they come last in sorts. A comparison with a missing value is missing, and [Table.Where] leaves its row out.
//
// Groups, joins and [Table.Unique] look values up by hashing, so that their cost grows with the number of rows. There
// is no index of rows.
package frames
