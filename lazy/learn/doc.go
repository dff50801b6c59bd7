// Package learn has models under scikit-learn's names: they are fitted to arrays, transform them and predict.
//
// Start with [NewPCA] and [NewKMeans]. Rows are samples, columns are features. A model is a value of the graph, as
// arrays are: its construction, each fit, transform and prediction is one annotated call, made through the public
// annotations of packages offload and lazy, and runs when something that it leads to is shown. A call that predicts is
// cut into rows; its model is passed whole ([Models]).
//
// Where a call runs is decided as for all annotated calls: what is an expression of arrays becomes kernels, what is a
// search on the CPU has a variant of kernels for other devices. Wrong shapes, and models that are not fitted, are
// errors at the call.
//
// NaN is treated as scikit-learn treats it: [StandardScaler] leaves it out, and the other models are not fitted on
// samples that have it, or infinities: an error when the fit runs says which column they are in. What is asked of a
// fitted model is looked at on the CPU; expressions of arrays and kernels, such as those of [PCA.Transform], do not
// look, and what they give of NaN is NaN or any class.
package learn
