// Package sparse is matrices of which only the elements that are not 0 are kept, in compressed sparse rows (CSR): the
// values row by row, the column of each, and where each row begins. Products with vectors run on the device that np.Use
// has chosen, in the ways of Bell and Garland ("Efficient Sparse Matrix-Vector Multiplication on CUDA", 2008) and by a
// segmented scan (Sengupta, Harris and Garland, 2008), to be compared.
//
// Start with [FromTriplets] and [Mul]. The package knows neither devices nor memory: what is launched and copied is
// package lazy's business.
package sparse
