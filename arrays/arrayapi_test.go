package arrays

import (
	"strings"
	"testing"
)

// arrayAPI are the functions of the Python Array API standard 2025.12 by its sections, with ours behind "=" where the
// name is not that of the table of NumPy's names; "-" is what Go has no use for.
var arrayAPI = map[string]string{
	"creation": "arange asarray empty empty_like eye from_dlpack=- full full_like linspace meshgrid ones ones_like tril triu zeros zeros_like",
	"dtypes":   "astype can_cast=CanCast finfo=FInfo iinfo=IInfo isdtype=IsDType result_type=ResultType",
	"elementwise": "abs acos=Acos acosh=Acosh add asin=Asin asinh=Asinh atan=Atan atan2=Atan2 atanh=Atanh bitwise_and bitwise_left_shift=LeftShift bitwise_invert=Invert " +
		"bitwise_or bitwise_right_shift=RightShift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1 floor floor_divide greater greater_equal hypot imag " +
		"isfinite isinf isnan less less_equal log log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply negative nextafter not_equal " +
		"positive pow=Pow real reciprocal remainder round sign signbit sin sinh square sqrt subtract tan tanh trunc",
	"indexing":     "take take_along_axis",
	"linalg":       "matmul matrix_transpose tensordot vecdot",
	"manipulation": "broadcast_arrays broadcast_shapes=BroadcastShapes broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack",
	"searching":    "argmax argmin count_nonzero nonzero searchsorted where",
	"sets":         "isin unique_all unique_counts unique_inverse unique_values=Unique",
	"sorting":      "argsort sort",
	"statistical":  "cumulative_prod=CumProd cumulative_sum=CumSum max mean min prod std sum var",
	"utility":      "all any diff",
	"linalg extension": "linalg.cholesky linalg.cross linalg.det linalg.diagonal linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv linalg.matrix_norm linalg.matrix_power " +
		"linalg.matrix_rank linalg.outer linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd linalg.svdvals linalg.trace linalg.vector_norm",
	"fft extension": "fft.fft fft.ifft fft.fftn fft.ifftn fft.rfft fft.irfft fft.rfftn fft.irfftn fft.hfft fft.ihfft fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift",
}

// TestArrayAPI: each of the standard's functions has one here and in package lazy.
func TestArrayAPI(t *testing.T) {
	eager, lazy := declared(t, "."), declared(t, "../lazy")
	count := 0
	for section, names := range arrayAPI {
		for _, name := range strings.Fields(names) {
			count++
			standard, ours, named := strings.Cut(name, "=")
			if ours == "-" {
				continue
			}
			if !named {
				var ok bool
				if ours, ok = FromNumPy(standard); !ok {
					t.Errorf("%s: %s is not in the table of names", section, standard)
					continue
				}
			}
			if !eager[ours] || !lazy[ours] && ours != "BroadcastShapes" { // which is of shapes, not arrays
				t.Errorf("%s: %s is to be %s: in arrays %v, in lazy %v", section, standard, ours, eager[ours], lazy[ours])
			}
		}
	}
	if count != 170 {
		t.Errorf("%d functions are listed; the standard's stubs have 170", count)
	}
}

func TestDTypeInfo(t *testing.T) {
	// Expected values: numpy.finfo and numpy.iinfo.
	if f := FInfo(Float32); f.Eps != 1.1920928955078125e-07 || f.Max != 3.4028234663852886e+38 || f.SmallestNormal != 1.1754943508222875e-38 || f.Bits != 32 {
		t.Error(f)
	}
	if f := FInfo(Complex128); f.Eps != 2.220446049250313e-16 || f.Min != -1.7976931348623157e+308 {
		t.Error(f)
	}
	if i := IInfo(Int16); i != (IntInfo{16, -32768, 32767}) {
		t.Error(i)
	}
	if i := IInfo(Uint64); i != (IntInfo{64, 0, 18446744073709551615}) {
		t.Error(i)
	}
	if !CanCast(Int32, Float64) || CanCast(Int64, Float32) || CanCast(Float64, Int64) || !CanCast(Bool, Int8) || CanCast(Str(3), Float64) {
		t.Error("CanCast")
	}
	if !IsDType(Uint8, "real floating", "integral") || IsDType(Bool, "numeric") {
		t.Error("IsDType")
	}
	if d := ResultType(Float32, 2, Ones(2).AsType(Int8)); d != Promote(Float32, Int8) {
		t.Error(d)
	}
}
