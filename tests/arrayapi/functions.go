package main

import np "github.com/arrayrepl/arrayrepl/arrays"

// functions are those of package arrays that the standard needs; what is missing here is looked for among the methods
// of an array.
var functions = map[string]any{
	"Arange": np.Arange, "BroadcastShapes": np.BroadcastShapes, "BroadcastTo": np.BroadcastTo, "CanCast": np.CanCast, "Clip": np.Clip, "Concat": np.Concat,
	"CopySign": np.CopySign, "CountNonZero": np.CountNonZero, "CumProd": np.CumProd, "CumSum": np.CumSum, "Diff": np.Diff, "Eye": np.Eye, "FInfo": np.FInfo, "IInfo": np.IInfo,
	"FFTFreq": np.FFTFreq, "RFFTFreq": np.RFFTFreq, "FFTShift": np.FFTShift, "IFFTShift": np.IFFTShift, "FFT": np.FFT, "IFFT": np.IFFT, "RFFT": np.RFFT, "IRFFT": np.IRFFT,
	"FFTN": np.FFTN, "IFFTN": np.IFFTN, "RFFTN": np.RFFTN, "IRFFTN": np.IRFFTN, "HFFT": np.HFFT, "IHFFT": np.IHFFT,
	"Full": np.Full, "IsIn": np.IsIn, "Linspace": np.Linspace, "Meshgrid": np.Meshgrid, "New": np.New, "NextAfter": np.NextAfter, "NonZero": np.NonZero, "Positive": np.Positive,
	"Repeat": np.Repeat, "ResultType": np.ResultType, "Roll": np.Roll, "SearchSorted": np.SearchSorted, "SearchSortedRight": np.SearchSortedRight, "Stack": np.Stack,
	"Take": np.Take, "TakeAlongAxis": np.TakeAlongAxis, "TensorDot": np.TensorDot, "Tile": np.Tile, "Tril": np.Tril, "Triu": np.Triu, "Unique": np.Unique, "UniqueAll": np.UniqueAll,
	"UniqueCounts": np.UniqueCounts, "UniqueInverse": np.UniqueInverse, "Unstack": np.Unstack, "VecDot": np.VecDot, "Where": np.Where,
	"Cholesky": np.Cholesky, "Cross": np.Cross, "Det": np.Det, "Eig": np.Eig, "EigH": np.EigH, "EigVals": np.EigVals, "EigValsH": np.EigValsH, "Inv": np.Inv, "MatMul": np.MatMul,
	"MatrixNorm": np.MatrixNorm, "MatrixPower": np.MatrixPower, "MatrixRank": np.MatrixRank, "MatrixTranspose": np.MatrixTranspose, "Outer": np.Outer, "PInv": np.PInv, "QR": np.QR,
	"QRComplete": np.QRComplete, "SLogDet": np.SLogDet, "Solve": np.Solve, "SVD": np.SVD, "SVDThin": np.SVDThin, "SVDVals": np.SVDVals, "Trace": np.Trace, "VectorNorm": np.VectorNorm,
	// Operators take numbers on either side, which methods do not.
	"Add": np.Add, "Atan2": np.Atan2, "BitAnd": np.BitAnd, "BitOr": np.BitOr, "BitXor": np.BitXor, "Div": np.Div, "Equal": np.Equal, "FloorDivide": np.FloorDivide, "Greater": np.Greater,
	"GreaterEqual": np.GreaterEqual, "Hypot": np.Hypot, "LeftShift": np.LeftShift, "Less": np.Less, "LessEqual": np.LessEqual, "LogAddExp": np.LogAddExp, "LogicalAnd": np.LogicalAnd,
	"LogicalNot": np.LogicalNot, "LogicalOr": np.LogicalOr, "LogicalXor": np.LogicalXor, "Maximum": np.Maximum, "Minimum": np.Minimum, "Mul": np.Mul, "NotEqual": np.NotEqual, "Pow": np.Pow,
	"Remainder": np.Remainder, "RightShift": np.RightShift, "Sub": np.Sub,
	"IsFinite": np.IsFinite, "IsInf": np.IsInf, "IsNaN": np.IsNaN, "SignBit": np.SignBit, "assigned": assigned,
}

// assigned returns a with value at idx: what a[idx] = value makes of it.
func assigned(a *np.Array, value any, idx ...any) *np.Array {
	a = a.Copy()
	a.Set(value, idx...)
	return a
}
