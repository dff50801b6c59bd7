package arrays

import "strings"

// numPyNames maps NumPy's names, without "numpy.", to ours: functions, and methods as "x.Name". It is in the order of
// the page docs/numpy.md, sections first, where those of elementwise operations, which their table has, come first.
var numPyNames = []struct {
	section string
	names   [][2]string
}{
	{"Making arrays", [][2]string{
		{"array", "FromSlice"}, {"asarray", "FromSlice"}, {"zeros", "Zeros"}, {"ones", "Ones"}, {"full", "Full"}, {"empty", "Zeros"}, {"eye", "Eye"}, {"identity", "Eye"},
		{"zeros_like", "ZerosLike"}, {"ones_like", "OnesLike"}, {"full_like", "FullLike"}, {"empty_like", "ZerosLike"}, {"arange", "Arange"}, {"linspace", "Linspace"},
		{"logspace", "Logspace"}, {"geomspace", "Geomspace"}, {"vander", "Vander"}, {"hanning", "Hanning"}, {"hamming", "Hamming"}, {"blackman", "Blackman"}, {"meshgrid", "Meshgrid"}, {"diag", "Diag"}, {"tril", "Tril"}, {"triu", "Triu"}, {"tri", "Tri"}, {"diagflat", "DiagFlat"},
		{"indices", "Indices"}, {"fromfunction", "FromFunction"}, {"resize", "Resize"}, {"bartlett", "Bartlett"}, {"kaiser", "Kaiser"}, {"ascontiguousarray", "x.Copy"},
		{"loadtxt", "LoadCSV"}, {"genfromtxt", "LoadColumns"}, {"load", "Load"}, {"memmap", "MapNPY"}, {"save", "Save"}, {"savez", "SaveZ"}, {"savetxt", "SaveCSV"},
	}},
	{"Dtypes", [][2]string{
		{"bool", "Bool"}, {"int8", "Int8"}, {"int16", "Int16"}, {"int32", "Int32"}, {"int64", "Int64"}, {"uint8", "Uint8"}, {"uint16", "Uint16"}, {"uint32", "Uint32"},
		{"uint64", "Uint64"}, {"float16", "Float16"}, {"float32", "Float32"}, {"float64", "Float64"}, {"complex64", "Complex64"}, {"complex128", "Complex128"},
		{"str_", "Str"}, {"datetime64", "DateTime"}, {"timedelta64", "TimeDelta"}, {"promote_types", "Promote"},
		{"result_type", "ResultType"}, {"can_cast", "CanCast"}, {"isdtype", "IsDType"}, {"finfo", "FInfo"}, {"iinfo", "IInfo"},
	}},
	{"Shape", [][2]string{
		{"reshape", "Reshape"}, {"ravel", "x.Ravel"}, {"ndarray.flatten", "x.Flatten"}, {"transpose", "x.T"}, {"permute_dims", "x.T"}, {"swapaxes", "x.SwapAxes"},
		{"moveaxis", "x.MoveAxis"}, {"expand_dims", "x.ExpandDims"}, {"squeeze", "x.Squeeze"}, {"broadcast_to", "BroadcastTo"}, {"flip", "Flip"}, {"roll", "Roll"},
		{"concatenate", "Concat"}, {"concat", "Concat"}, {"stack", "Stack"}, {"vstack", "VStack"}, {"hstack", "HStack"}, {"split", "Split"}, {"array_split", "ArraySplit"},
		{"unstack", "Unstack"}, {"broadcast_arrays", "BroadcastArrays"}, {"broadcast_shapes", "BroadcastShapes"}, {"rot90", "Rot90"}, {"append", "Append"}, {"tile", "Tile"}, {"repeat", "Repeat"}, {"pad", "Pad"}, {"copy", "x.Copy"}, {"astype", "x.AsType"}, {"ndarray.astype", "x.AsType"},
		{"fliplr", "FlipLR"}, {"flipud", "FlipUD"}, {"atleast_1d", "AtLeast1D"}, {"atleast_2d", "AtLeast2D"}, {"atleast_3d", "AtLeast3D"}, {"column_stack", "ColumnStack"}, {"row_stack", "VStack"}, {"dstack", "DStack"},
		{"block", "Block"}, {"hsplit", "HSplit"}, {"vsplit", "VSplit"}, {"dsplit", "DSplit"}, {"delete", "Delete"}, {"insert", "Insert"}, {"trim_zeros", "TrimZeros"}, {"shape", "x.Shape"}, {"ndim", "x.NDim"}, {"size", "x.Size"},
		{"ndarray.shape", "x.Shape"}, {"ndarray.ndim", "x.NDim"}, {"ndarray.size", "x.Size"}, {"ndarray.dtype", "x.DType"}, {"ndarray.nbytes", "x.NBytes"}, {"ndarray.T", "x.T"},
	}},
	{"Elements", [][2]string{
		{"take", "Take"}, {"take_along_axis", "TakeAlongAxis"}, {"select", "Select"}, {"digitize", "Digitize"}, {"nonzero", "NonZero"}, {"argwhere", "ArgWhere"}, {"where", "Where"}, {"diagonal", "x.Diagonal"}, {"ndarray.item", "x.Item"},
		{"ndarray.tolist", "x.Float64s"}, {"ndarray.flat", "x.Values"}, {"put", "x.Set"}, {"add.at", "x.AddAt"}, {"sort", "Sort"}, {"argsort", "ArgSort"}, {"searchsorted", "SearchSorted"},
		{"unique", "Unique"}, {"isin", "IsIn"}, {"union1d", "Union"}, {"intersect1d", "Intersect"}, {"setdiff1d", "SetDiff"}, {"setxor1d", "SetXor"},
		{"unique_values", "Unique"}, {"unique_counts", "UniqueCounts"}, {"unique_inverse", "UniqueInverse"}, {"unique_all", "UniqueAll"},
		{"in1d", "IsIn"}, {"extract", "Extract"}, {"compress", "Compress"}, {"choose", "Choose"}, {"piecewise", "Piecewise"}, {"put_along_axis", "PutAlongAxis"}, {"apply_along_axis", "ApplyAlongAxis"}, {"copyto", "x.Set"}, {"place", "x.Set"},
		{"putmask", "x.Set"}, {"ndarray.fill", "x.Set"}, {"fill_diagonal", "FillDiagonal"}, {"flatnonzero", "FlatNonZero"}, {"ix_", "Ix"}, {"tril_indices", "TrilIndices"}, {"triu_indices", "TriuIndices"},
		{"unravel_index", "UnravelIndex"}, {"ravel_multi_index", "RavelMultiIndex"}, {"lexsort", "LexSort"}, {"partition", "Partition"}, {"argpartition", "ArgPartition"},
	}},
	{"Arithmetic", [][2]string{
		{"mod", "Mod"},
		{"positive", "Positive"}, {"nextafter", "NextAfter"}, {"heaviside", "Heaviside"}, {"nan_to_num", "NanToNum"}, {"unwrap", "Unwrap"},
		{"clip", "Clip"},
		{"round", "Round"}, {"around", "Round"},
		{"float_power", "FloatPower"}, {"fabs", "Fabs"}, {"fmod", "FMod"}, {"divmod", "DivMod"}, {"modf", "ModF"}, {"frexp", "FRexp"}, {"ldexp", "LDExp"}, {"fix", "Trunc"}, {"spacing", "Spacing"},
		{"gcd", "GCD"}, {"lcm", "LCM"}, {"out=", "Into"},
	}},
	{"Functions", [][2]string{
		{"logaddexp2", "LogAddExp2"}, {"i0", "I0"},
	}},
	{"Comparison and logic", [][2]string{
		{"isclose", "IsClose"}, {"allclose", "AllClose"}, {"array_equal", "ArrayEqual"},
		{"array_equiv", "ArrayEquiv"}, {"isposinf", "IsPosInf"}, {"isneginf", "IsNegInf"}, {"isreal", "IsReal"}, {"iscomplex", "IsComplex"},
		{"packbits", "PackBits"}, {"unpackbits", "UnpackBits"},
	}},
	{"Reductions and statistics", [][2]string{
		{"sum", "Sum"}, {"prod", "Prod"}, {"mean", "Mean"}, {"average", "Average"}, {"var", "Var"}, {"std", "Std"}, {"min", "Min"}, {"amin", "Min"}, {"max", "Max"}, {"amax", "Max"},
		{"argmin", "ArgMin"}, {"argmax", "ArgMax"}, {"all", "x.All"}, {"any", "x.Any"}, {"ptp", "Ptp"}, {"median", "Median"}, {"quantile", "Quantile"}, {"percentile", "Percentile"},
		{"count_nonzero", "CountNonZero"}, {"cumsum", "CumSum"}, {"cumprod", "CumProd"}, {"maximum.accumulate", "CumMax"}, {"minimum.accumulate", "CumMin"}, {"bincount", "BinCount"},
		{"histogram", "Histogram"}, {"cov", "Cov"}, {"corrcoef", "CorrCoef"}, {"nansum", "NanSum"}, {"nanmean", "NanMean"}, {"nanvar", "NanVar"}, {"nanstd", "NanStd"}, {"nanmin", "NanMin"},
		{"nanmax", "NanMax"}, {"nanprod", "NanProd"}, {"nancumsum", "NanCumSum"}, {"nancumprod", "NanCumProd"}, {"nanargmax", "NanArgMax"}, {"nanargmin", "NanArgMin"}, {"nanmedian", "NanMedian"}, {"nanquantile", "NanQuantile"}, {"nanpercentile", "NanPercentile"},
		{"cumulative_sum", "CumSum"}, {"cumulative_prod", "CumProd"}, {"histogram_bin_edges", "HistogramBinEdges"}, {"histogram2d", "Histogram2D"},
	}},
	{"Products, slopes, curves", [][2]string{
		{"matmul", "MatMul"}, {"dot", "Dot"}, {"outer", "Outer"}, {"trace", "Trace"}, {"linalg.norm", "Norm"}, {"diff", "Diff"}, {"gradient", "Gradient"}, {"gradient", "Gradients"}, {"trapezoid", "Trapezoid"}, {"trapz", "Trapezoid"}, {"ediff1d", "EDiff1D"}, {"vdot", "VDot"}, {"matvec", "MatMul"},
		{"interp", "Interp"}, {"convolve", "Convolve"}, {"correlate", "Correlate"}, {"polyval", "PolyVal"},
		{"polyfit", "PolyFit"}, {"polyadd", "PolyAdd"}, {"polymul", "PolyMul"}, {"polyder", "PolyDer"}, {"polyint", "PolyInt"}, {"polysub", "PolySub"}, {"polydiv", "PolyDiv"}, {"poly", "Poly"}, {"roots", "Roots"},
	}},
	{"Linear algebra", [][2]string{
		{"linalg.solve", "Solve"}, {"linalg.inv", "Inv"}, {"linalg.pinv", "PInv"}, {"linalg.lstsq", "LstSq"}, {"linalg.det", "Det"}, {"linalg.slogdet", "SLogDet"}, {"linalg.cholesky", "Cholesky"},
		{"linalg.qr", "QR"}, {"linalg.svd", "SVD"}, {"linalg.svdvals", "SVDVals"}, {"linalg.eig", "Eig"}, {"linalg.eigvals", "EigVals"}, {"linalg.eigh", "EigH"}, {"linalg.eigvalsh", "EigValsH"},
		{"linalg.matrix_power", "MatrixPower"}, {"linalg.matrix_rank", "MatrixRank"}, {"linalg.matrix_norm", "MatrixNorm"}, {"linalg.vector_norm", "VectorNorm"}, {"linalg.cond", "Cond"}, {"linalg.cross", "Cross"}, {"cross", "Cross"},
		{"linalg.matmul", "MatMul"}, {"linalg.outer", "Outer"}, {"linalg.tensordot", "TensorDot"}, {"linalg.vecdot", "VecDot"}, {"linalg.trace", "Trace"}, {"linalg.diagonal", "x.Diagonal"}, {"linalg.matrix_transpose", "MatrixTranspose"},
		{"tensordot", "TensorDot"}, {"einsum", "Einsum"}, {"vecdot", "VecDot"}, {"inner", "Inner"}, {"kron", "Kron"}, {"matrix_transpose", "MatrixTranspose"}, {"scipy.linalg.expm", "Expm"}, {"linalg.multi_dot", "MultiDot"},
		{"linalg.tensorsolve", "TensorSolve"}, {"linalg.tensorinv", "TensorInv"},
	}},
	{"Fourier transforms", [][2]string{
		{"fft.fft", "FFT"}, {"fft.ifft", "IFFT"}, {"fft.rfft", "RFFT"}, {"fft.irfft", "IRFFT"}, {"fft.hfft", "HFFT"}, {"fft.ihfft", "IHFFT"}, {"fft.fft2", "FFT2"}, {"fft.ifft2", "IFFT2"},
		{"fft.rfft2", "RFFT2"}, {"fft.irfft2", "IRFFT2"}, {"fft.fftn", "FFTN"}, {"fft.ifftn", "IFFTN"}, {"fft.rfftn", "RFFTN"}, {"fft.irfftn", "IRFFTN"},
		{"fft.fftfreq", "FFTFreq"}, {"fft.rfftfreq", "RFFTFreq"}, {"fft.fftshift", "FFTShift"}, {"fft.ifftshift", "IFFTShift"},
	}},
	{"Random numbers", [][2]string{
		{"random.default_rng", "DefaultRNG"}, {"random.PCG64", "DefaultRNG"}, {"random.Philox", "PhiloxRNG"}, {"random.seed", "DefaultRNG"},
		{"random.Generator.random", "rng.Random"}, {"random.Generator.uniform", "rng.Uniform"},
		{"random.Generator.integers", "rng.Integers"}, {"random.Generator.standard_normal", "rng.StandardNormal"},
		{"random.Generator.normal", "rng.Normal"}, {"random.Generator.lognormal", "rng.LogNormal"},
		{"random.Generator.exponential", "rng.Exponential"}, {"random.Generator.gamma", "rng.Gamma"},
		{"random.Generator.chisquare", "rng.ChiSquare"}, {"random.Generator.beta", "rng.Beta"},
		{"random.Generator.standard_t", "rng.StandardT"}, {"random.Generator.standard_cauchy", "rng.StandardCauchy"},
		{"random.Generator.laplace", "rng.Laplace"}, {"random.Generator.logistic", "rng.Logistic"},
		{"random.Generator.gumbel", "rng.Gumbel"}, {"random.Generator.weibull", "rng.Weibull"},
		{"random.Generator.pareto", "rng.Pareto"}, {"random.Generator.power", "rng.Power"},
		{"random.Generator.rayleigh", "rng.Rayleigh"}, {"random.Generator.triangular", "rng.Triangular"},
		{"random.Generator.poisson", "rng.Poisson"}, {"random.Generator.binomial", "rng.Binomial"},
		{"random.Generator.negative_binomial", "rng.NegativeBinomial"}, {"random.Generator.geometric", "rng.Geometric"},
		{"random.Generator.standard_gamma", "rng.StandardGamma"}, {"random.Generator.standard_exponential", "rng.StandardExponential"}, {"random.Generator.f", "rng.F"},
		{"random.Generator.noncentral_f", "rng.NoncentralF"}, {"random.Generator.noncentral_chisquare", "rng.NoncentralChiSquare"}, {"random.Generator.wald", "rng.Wald"},
		{"random.Generator.vonmises", "rng.VonMises"}, {"random.Generator.logseries", "rng.LogSeries"}, {"random.Generator.zipf", "rng.Zipf"},
		{"random.Generator.hypergeometric", "rng.Hypergeometric"}, {"random.Generator.permuted", "rng.Permuted"}, {"random.Generator.spawn", "rng.Spawn"}, {"random.Generator.bytes", "rng.Bytes"},
		{"random.Generator.multinomial", "rng.Multinomial"}, {"random.Generator.dirichlet", "rng.Dirichlet"},
		{"random.Generator.multivariate_normal", "rng.MultivariateNormal"}, {"random.Generator.permutation", "rng.Permutation"},
		{"random.Generator.shuffle", "rng.Shuffle"}, {"random.Generator.choice", "rng.Choice"},
		{"random.rand", "rng.Random"}, {"random.randn", "rng.StandardNormal"}, {"random.randint", "rng.Integers"},
	}},
	{"Printing", [][2]string{{"set_printoptions", "SetPrintOptions"}, {"array_str", "x.String"}, {"newaxis", "NewAxis"}}},
}

// FromNumPy returns what a NumPy function, method or value is called here: "argsort", "np.argsort" and "numpy.argsort"
// are "ArgSort", "ndarray.astype" is "x.AsType", "random.normal" is "rng.Normal" of an RNG. The same names are in
// package lazy.
func FromNumPy(name string) (ours string, ok bool) {
	for _, prefix := range []string{"numpy.", "np."} {
		name = strings.TrimPrefix(name, prefix)
	}
	for u := range Ufunc(NumUfuncs) {
		if u.isNumPy(name) {
			return u.goName(), true
		}
	}
	// the functions of numpy.random are those of a Generator, too
	method, generator := strings.CutPrefix(name, "random.")
	for _, s := range numPyNames {
		for _, n := range s.names {
			if n[0] == name || n[0] == "ndarray."+name || generator && n[0] == "random.Generator."+method {
				return n[1], true
			}
		}
	}
	return "", false
}

// elementwiseNames are NumPy's names of the elementwise operations of a section of the page, with ours.
func elementwiseNames(section string) (names [][2]string) {
	for u := range Ufunc(NumUfuncs) {
		if row := &ufuncs[u]; row.section == section {
			for _, name := range append([]string{row.name}, strings.Fields(row.also)...) {
				names = append(names, [2]string{name, u.goName()})
			}
		}
	}
	return names
}
