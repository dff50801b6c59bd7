// Package learn has models under scikit-learn's names: they are fitted to arrays, transform them and predict.
//
// Start with [NewPCA] and [NewKMeans]. Rows are samples, columns are features. A model is a value of the graph, as arrays are:
// its construction, each fit, transform and prediction is one annotated call, made through the public annotations of packages
// offload and lazy, and runs when something that it leads to is shown. A call that predicts is cut into rows; its model
// is passed whole ([Models]).
//
// Where a call runs is decided as for all annotated calls: what is an expression of arrays becomes kernels, what is a search on
// the CPU has a variant of kernels for other devices. Wrong shapes, and models that are not fitted, are errors at the call.
package learn
