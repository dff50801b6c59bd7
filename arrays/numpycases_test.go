package arrays

import (
	"math"
	"testing"
)

// What NumPy 2.3.5 gives for each expression, which is in the comment beside it.
func TestCasesOfNumPy(t *testing.T) {
	inf := math.Inf(1)
	x := Arange(1, 5).Reshape(2, 2)
	for name, tt := range map[string]struct {
		got  *Array
		want any
	}{
		"average([[1,2],[3,4]], weights=[1,3], axis=0)":            {Average(x, []int{1, 3}, Axis(0)), []float64{2.5, 3.5}},
		"average([[1,2],[3,4]], weights=[1,3], axis=1)":            {Average(x, []int{1, 3}, Axis(1)), []float64{1.75, 3.75}},
		"average(arange(6).reshape(3,2), weights=[1,2,3], axis=0)": {Average(Arange(6).Reshape(3, 2), []int{1, 2, 3}, Axis(0)), []float64{16. / 6, 22. / 6}},
		"average([[1,2],[3,4]], weights=[[1,3],[0,4]], axis=0)":    {Average(x, Stack(0, []int{1, 3}, []int{0, 4}), Axis(0)), []float64{1, 22. / 7}},
		"average([[1,2],[3,4]], weights=[[1,3],[0,4]])":            {Average(x, Stack(0, []int{1, 3}, []int{0, 4})), 23. / 8},
		"interp([0.5,1,1.5], [0,1,1,2], [0,1,5,7])":                {Interp([]float64{0.5, 1, 1.5}, []int{0, 1, 1, 2}, []int{0, 1, 5, 7}), []float64{0.5, 5, 6}},
		"interp([-1,0,2,3], [0,2], [4,6])":                         {Interp([]int{-1, 0, 2, 3}, []int{0, 2}, []int{4, 6}), []float64{4, 4, 6, 6}},
		"interp([0.5], [0,1], [inf,inf])":                          {Interp([]float64{0.5}, []int{0, 1}, []float64{inf, inf}), []float64{inf}},
		"intersect1d([1,2,2], [2.,3.])":                            {Intersect([]int{1, 2, 2}, []float64{2, 3}), []float64{2}},
		"zeros_like(['a','bc'])":                                   {ZerosLike([]string{"a", "bc"}), []string{"", ""}},
		"broadcast_arrays(['a','b'], [[1],[2]])[0]":                {BroadcastArrays([]string{"a", "b"}, Arange(1, 3).Reshape(2, 1))[0].Reshape(-1), []string{"a", "b", "a", "b"}},
		"broadcast_arrays(['a','b'], [[1],[2]])[1]":                {BroadcastArrays([]string{"a", "b"}, Arange(1, 3).Reshape(2, 1))[1].Reshape(-1), []int{1, 1, 2, 2}},
		"cond([[1,1],[1,1]], 1)":                                   {Cond(Ones(2, 2), 1), inf},
		"cond([[[1,1],[1,1]],[[1,0],[0,1]]], 1)":                   {Cond(Stack(0, Ones(2, 2), Eye(2)), 1), []float64{inf, 1}},
		"cond([[0,0],[0,0]])":                                      {Cond(Zeros(2, 2)), inf},
		"cond([[0,0],[0,0]], -2)":                                  {Cond(Zeros(2, 2), -2), inf},
		"digitize([0.5,1,1.5,3,-1], [3,2,1])":                      {Digitize([]float64{0.5, 1, 1.5, 3, -1}, []int{3, 2, 1}), []int{3, 2, 2, 0, 3}},
		"digitize([1,2], [2,2])":                                   {Digitize([]int{1, 2}, []int{2, 2}), []int{0, 2}},
		"nan_to_num(nanmax([nan,nan]), nan=7)":                     {Where(IsNaN(NanMax([]float64{math.NaN(), math.NaN()})), 7.0, 0.0), 7.},
		"nan_to_num(nanmin([[nan,1],[nan,nan]], 1), nan=7)":        {noNaN(NanMin(Stack(0, []float64{math.NaN(), 1}, []float64{math.NaN(), math.NaN()}), Axis(1)), 7), []float64{1, 7}},
		"nanmax(float32([nan,2]))":                                 {NanMax([]float32{float32(math.NaN()), 2}), FromSlice([]float32{2}).At(0)},
		"nanmean(float32([nan,2,5]))":                              {NanMean([]float32{float32(math.NaN()), 2, 5}), FromSlice([]float32{3.5}).At(0)},
		"nanvar(float32([nan,2,5]))":                               {NanVar([]float32{float32(math.NaN()), 2, 5}), FromSlice([]float32{2.25}).At(0)},
		"nanstd(float32([nan,2,5]))":                               {NanStd([]float32{float32(math.NaN()), 2, 5}), FromSlice([]float32{1.5}).At(0)},
		"clip(uint8([0,3,9]), -1, 4)":                              {Clip([]uint8{0, 3, 9}, -1, 4), []uint8{0, 3, 4}},
		"clip(uint8([0,3,9]), 1, 400)":                             {Clip([]uint8{0, 3, 9}, 1, 400), []uint8{1, 3, 9}},
		"clip(uint8([0,3,9]), 1.5, 4)":                             {Clip([]uint8{0, 3, 9}, 1.5, 4), []float64{1.5, 3, 4}},
		"dot(ones((2,3,4)), arange(120).reshape(5,4,6))[1,2,3]":    {Dot(Ones(2, 3, 4), Arange(120).Reshape(5, 4, 6)).At(1, 2, 3), []float64{324, 328, 332, 336, 340, 344}},
		"dot(ones(4), arange(24).reshape(2,4,3))":                  {Dot(Ones(4), Arange(24).Reshape(2, 4, 3)), Stack(0, []float64{18, 22, 26}, []float64{66, 70, 74})},
		"dot(ones((2,3,4)), arange(4))":                            {Dot(Ones(2, 3, 4), Arange(4)), Full(6., 2, 3)},
		"full_like(int64([1]), 2.7)":                               {FullLike([]int64{1}, 2.7), []int64{2}},
		"array_equal(['a'], [1])":                                  {Scalar(ArrayEqual([]string{"a"}, []int{1})), false},
		"isin(['a','b'], [1])":                                     {IsIn([]string{"a", "b"}, []int{1}), []bool{false, false}},
		"isin([1,2], ['1'])":                                       {IsIn([]int{1, 2}, []string{"1"}), []bool{false, false}},
		"round(logaddexp2(uint32([0,9]), uint8([3,9])), 9)":        {Round(LogAddExp2([]uint32{0, 9}, []uint8{3, 9}), 9), []float64{3.169925001, 10}},
		"logaddexp2(int8([2]), uint8([2]))":                        {LogAddExp2([]int8{2}, []uint8{2}), FromSlice([]int{3}).AsType(Float16)},
		"signbit(logaddexp(float32([-0.,-inf,-1e30]), float32([-inf,-0.,-0.])))": {SignBit(LogAddExp(FromSlice([]float64{math.Copysign(0, -1), -inf, -1e30}).AsType(Float32),
			FromSlice([]float64{-inf, math.Copysign(0, -1), math.Copysign(0, -1)}).AsType(Float32))), []bool{false, false, false}},
		"logaddexp2([True], [True])":              {LogAddExp2([]bool{true}, []bool{true}), FromSlice([]int{2}).AsType(Float16)},
		"fabs([True])":                            {Fabs([]bool{true}), FromSlice([]int{1}).AsType(Float16)},
		"fabs(int16([-5]))":                       {Fabs([]int16{-5}), []float32{5}},
		"fabs(int32([-5]))":                       {Fabs([]int32{-5}), []float64{5}},
		"ldexp(uint16([3]), 2)":                   {LDExp([]uint16{3}, 2), []float32{12}},
		"heaviside(int16([7]), int8([2]))":        {Heaviside([]int16{7}, []int8{2}), []float32{1}},
		"heaviside(float32([0]), float64([0.1]))": {Heaviside([]float32{0}, []float64{0.1}), []float64{0.1}},
		"sinc(int8([0]))":                         {Sinc([]int8{0}), []float64{1}},
		"i0(int8([0]))":                           {I0([]int8{0}), []float64{1}},
		"fmod(-2**63, [2.5])":                     {FMod(math.MinInt64, []float64{2.5}), []float64{-0.5}},
		"fmod(float16([0.5]), [-2**63])":          {FMod(FromSlice([]float64{0.5}).AsType(Float16), []int{math.MinInt64}), []float64{0.5}},
		"nextafter(float16([1,0,-1,65504]), float16([2,-1,0,inf]))": {NextAfter(FromSlice([]float64{1, 0, -1, 65504}).AsType(Float16), FromSlice([]float64{2, -1, 0, inf}).AsType(Float16)),
			FromSlice([]float64{1.0009765625, -0x1p-24, -0.99951171875, inf}).AsType(Float16)},
		"spacing(float16([1,0]))":                           {Spacing(FromSlice([]float64{1, 0}).AsType(Float16)), FromSlice([]float64{0x1p-10, 0x1p-24}).AsType(Float16)},
		"bitwise_count([True,False])":                       {BitCount([]bool{true, false}), []uint8{1, 0}},
		"nan_to_num([nan+1j, 2-infj])":                      {NanToNum([]complex128{complex(math.NaN(), 1), complex(2, -inf)}), []complex128{1i, complex(2, -math.MaxFloat64)}},
		"nanmean([2**62, 2**62, 2**62])":                    {NanMean([]int{1 << 62, 1 << 62, 1 << 62}), 0x1p62},
		"nan_to_num(nanvar([10], ddof=2), nan=7)":           {noNaN(NanVar([]int{10}, DDof(2)), 7), 7.},
		"nan_to_num(nanstd([1.,nan], ddof=1), nan=7)":       {noNaN(NanStd([]float64{1, math.NaN()}, DDof(1)), 7), 7.},
		"nan_to_num(nanstd([1.,inf]), nan=7)":               {noNaN(NanStd([]float64{1, inf}), 7), 7.},
		"nanvar([3+4j, nan, 0])":                            {NanVar([]complex128{3 + 4i, complex(math.NaN(), 0), 0}), 6.25},
		"nanmin(timedelta64([-3,'NaT',4],'s'))":             {NanMin(spans(-3, math.MinInt64, 4)), spans(-3).At(0)},
		"nanmax(timedelta64([-3,'NaT'],'s'))":               {NanMax(spans(-3, math.MinInt64)), spans(-3).At(0)},
		"isnat(nanmin(timedelta64(['NaT'],'s')))":           {IsNaN(NanMin(spans(math.MinInt64))), true},
		"median([3+4j, 1+2j])":                              {Median([]complex128{3 + 4i, 1 + 2i}), 2 + 3i},
		"median(timedelta64([-657,-538],'s'))":              {Median(spans(-657, -538)), spans(-597).At(0)},
		"median(float16([2.5,inf]))":                        {Median(FromSlice([]float64{2.5, inf}).AsType(Float16)), FromSlice([]float64{inf}).AsType(Float16).At(0)},
		"median([1e308,1e308])":                             {Median([]float64{1e308, 1e308}), inf},
		"nanmedian([nan,1e308])":                            {NanMedian([]float64{math.NaN(), 1e308}), 1e308},
		"nanmedian(timedelta64(['NaT',1,4],'s'))":           {NanMedian(spans(math.MinInt64, 1, 4)), spans(2).At(0)},
		"quantile(timedelta64([0,10],'s'), 0.25)":           {Quantile(spans(0, 10), 0.25), spans(2).At(0)},
		"quantile(datetime64([0,10],'s'), 0.5)":             {Quantile(spans(0, 10).AsType(Int64).AsType(DateTime(Second)), 0.5), FromSlice([]int{5}).AsType(DateTime(Second)).At(0)},
		"nan_to_num(nanquantile(ones((0,2)),0.5,axis=0))":   {NanToNum(NanQuantile(Ones(0, 2), 0.5, 0)), []float64{0, 0}},
		"average([2**62,2**62], weights=[4,4])":             {Average([]int{1 << 62, 1 << 62}, []int{4, 4}), 0x1p62},
		"average(complex64([2,4]), weights=int16([1,1]))":   {Average([]complex64{2, 4}, []int16{1, 1}), FromSlice([]complex64{3}).At(0)},
		"interp([0.5], [0,1], [2j,4+4j])":                   {Interp([]float64{0.5}, []int{0, 1}, []complex128{2i, 4 + 4i}), []complex128{2 + 3i}},
		"unique([1+nan*1j, nan, 1], return_counts=True)[1]": {second(UniqueCounts([]complex128{complex(1, math.NaN()), complex(math.NaN(), 0), 1})), []int{1, 2}},
		"diagflat(['a'], 1)":                                {DiagFlat([]string{"a"}, 1), Stack(0, []string{"", "a"}, []string{"", ""})},
		"clip(uint8([3]), 1e300, 256)":                      {Clip([]uint8{3}, 1e300, 256), []float64{1e300}},
		"isin(datetime64([0,1],'s'), [0,1])":                {IsIn(FromSlice([]int{0, 1}).AsType(DateTime(Second)), []float64{0, 1}), []bool{false, false}},
		"vecdot(zeros((2,3,0),complex64), zeros((3,0)))":    {VecDot(FromBytes(Complex64, []int{2, 3, 0}, []byte{}), Zeros(3, 0).AsType(Float32)), Zeros(2, 3).AsType(Complex64)},
		"default_rng(249735).poisson(1e15, 4)":              {DefaultRNG(249735).Poisson(1e15, 4), []int{999999994788341, 1000000016407748, 999999990894569, 1000000032645669}},
	} {
		if want := must("want", tt.want); !ArrayEqual(tt.got, want) || tt.got.DType() != want.DType() && !tt.got.DType().IsString() {
			t.Errorf("%s: %v %v, want %v", name, tt.got.DType(), tt.got, want)
		}
	}
	for name, f := range map[string]func(){
		"clip(uint8([0,3,9]), -5, -1)":                    func() { Clip([]uint8{0, 3, 9}, -5, -1) },
		"clip(uint8([0,3,9]), 300, 400)":                  func() { Clip([]uint8{0, 3, 9}, 300, 400) },
		"full_like(uint8([1]), 300)":                      func() { FullLike([]uint8{1}, 300) },
		"full_like(uint8([1]), -1)":                       func() { FullLike([]uint8{1}, -1) },
		"average([[1,2],[3,4]], weights=[1,3])":           func() { Average(x, []int{1, 3}) },
		"average([[1,2],[3,4]], weights=[1,2,3], axis=0)": func() { Average(x, []int{1, 2, 3}, Axis(0)) },
		"zeros((2,3))[2, zeros((2,0),int)]":               func() { Zeros(2, 3).At(2, Zeros(2, 0).AsType(Int64)) },
		"heaviside([1j], 1)":                              func() { Heaviside([]complex128{1i}, 1) },
		"unwrap([1j, 2])":                                 func() { Unwrap([]complex128{1i, 2}) },
		"unwrap(timedelta64([1, 2]))":                     func() { Unwrap(FromSlice([]int{1, 2}).AsType(TimeDelta(Second))) },
		"positive([True])":                                func() { Positive([]bool{true}) },
		"gcd(int32([4]), 2**31)":                          func() { GCD([]int32{4}, 1<<31) },
		"lcm(uint8([4]), -1)":                             func() { LCM([]uint8{4}, -1) },
		"ldexp([1], uint64([1]))":                         func() { LDExp([]int{1}, []uint64{1}) },
		"float_power(timedelta64([2]), 2)":                func() { FloatPower(FromSlice([]int{2}).AsType(TimeDelta(Second)), 2) },
		"round(datetime64([2]), 1)":                       func() { Round(FromSlice([]int{2}).AsType(DateTime(Day)), 1) },
		"median(datetime64([2]))":                         func() { Median(FromSlice([]int{2}).AsType(DateTime(Day))) },
		"histogram([5e16]*3, 2)":                          func() { Histogram([]float64{5e16, 5e16, 5e16}, 2) },
		"median(['a'])":                                   func() { Median([]string{"a"}) },
		"quantile([1j], 0.5)":                             func() { Quantile([]complex128{1i}, 0.5) },
		"nanpercentile([1j], 50)":                         func() { NanPercentile([]complex128{1i}, 50) },
		"quantile(['a'], 0.5)":                            func() { Quantile([]string{"a"}, 0.5) },
		"std(timedelta64([1,2]))":                         func() { Std(spans(1, 2)) },
		"interp([1j], [0,1], [0,1])":                      func() { Interp([]complex128{1i}, []int{0, 1}, []int{0, 1}) },
		"int8([1])[0] = 256":                              func() { FromSlice([]int8{1}).Set(256, 0) },
		"uint8([1])[:] = -1":                              func() { FromSlice([]uint8{1}).Set(-1) },
		"add.at(int8([1]), 0, 256)":                       func() { FromSlice([]int8{1}).AddAt(256, 0) },
		"flip([[1,2]], (0,-2))":                           func() { Flip(Ones(1, 2), 0, -2) },
		"squeeze([[1]], (0,-2))":                          func() { Ones(1, 1).Squeeze(0, -2) },
		"bincount([1], minlength=-1)":                     func() { BinCount([]int{1}, MinLength(-1)) },
		"round(['a'])":                                    func() { Round([]string{"a"}) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(*Error); !ok {
					t.Errorf("%s: no error", name)
				}
			}()
			f()
		}()
	}
}

func second(_, b *Array) *Array { return b }

// spans are counts of seconds, of which the smallest is NaT.
func spans(n ...int) *Array { return FromSlice(n).AsType(TimeDelta(Second)) }
