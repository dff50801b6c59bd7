// Package dp is data-parallel verbs on lazy arrays: scans by any associative operator, over whole arrays, along an axis
// and by segments, after Hillis and Steele ("Data Parallel Algorithms", 1986) and Sengupta, Harris and Garland
// ("Efficient Parallel Scan Algorithms for GPUs", 2008).
//
// Start with [Scan] and [Op]. Nothing is computed before it is asked for; the kernels, of package kir/scan, run on the
// device that np.Use has chosen, the CPU among them, and give the same bits everywhere. The package knows neither
// devices nor memory: what is launched and copied is package lazy's business.
package dp
