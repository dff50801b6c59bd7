package elementary_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/arrayrepl/arrayrepl/internal/elementary"
)

// specialValues are those of C99, Annex F.10 (section numbers of C11), with exact results; logaddexp and sinc are
// NumPy's. Each entry is "arguments=result".
var specialValues = map[string]string{
	"exp":   "0=1 -0=1 -inf=0 inf=inf nan=nan 710=inf -746=0 1e300=inf -1e300=0",
	"exp2":  "0=1 -0=1 -inf=0 inf=inf nan=nan 1024=inf -1076=0 10=1024 -1074=5e-324 1e300=inf -1e300=0",
	"expm1": "0=0 -0=-0 -inf=-1 inf=inf nan=nan 710=inf -50=-1 5e-324=5e-324",

	"log":   "0=-inf -0=-inf 1=0 -1=nan -inf=nan inf=inf nan=nan",
	"log2":  "0=-inf -0=-inf 1=0 -1=nan -inf=nan inf=inf nan=nan 8=3 0.125=-3 0x1p100=100 0x1p-149=-149",
	"log10": "0=-inf -0=-inf 1=0 -1=nan -inf=nan inf=inf nan=nan 10=1 100=2 1000=3 1e5=5 1e10=10",
	"log1p": "0=0 -0=-0 -1=-inf -2=nan -inf=nan inf=inf nan=nan",

	"sin":  "0=0 -0=-0 inf=nan -inf=nan nan=nan 1e-40=1e-40",
	"cos":  "0=1 -0=1 inf=nan -inf=nan nan=nan",
	"tan":  "0=0 -0=-0 inf=nan -inf=nan nan=nan",
	"sinc": "0=1 -0=1 1=0 -2=0 1e30=0 inf=0 nan=nan",

	"asin":  "0=0 -0=-0 1=1.5707963267948966 -1=-1.5707963267948966 2=nan -inf=nan inf=nan nan=nan",
	"acos":  "1=0 -1=3.141592653589793 0=1.5707963267948966 2=nan -2=nan inf=nan nan=nan",
	"atan":  "0=0 -0=-0 inf=1.5707963267948966 -inf=-1.5707963267948966 1=0.7853981633974483 nan=nan",
	"atan2": "0,-0=3.141592653589793 -0,-0=-3.141592653589793 0,0=0 -0,0=-0 0,-1=3.141592653589793 -0,-1=-3.141592653589793 0,1=0 -0,1=-0 -1,0=-1.5707963267948966 -1,-0=-1.5707963267948966 1,0=1.5707963267948966 1,-inf=3.141592653589793 -1,-inf=-3.141592653589793 1,inf=0 -1,inf=-0 inf,1=1.5707963267948966 -inf,-1=-1.5707963267948966 inf,-inf=2.356194490192345 -inf,-inf=-2.356194490192345 inf,inf=0.7853981633974483 -inf,inf=-0.7853981633974483 nan,1=nan 1,nan=nan nan,inf=nan",

	"sinh":  "0=0 -0=-0 inf=inf -inf=-inf nan=nan 712=inf -712=-inf",
	"cosh":  "0=1 -0=1 inf=inf -inf=inf nan=nan -712=inf",
	"tanh":  "0=0 -0=-0 inf=1 -inf=-1 nan=nan 50=1",
	"asinh": "0=0 -0=-0 inf=inf -inf=-inf nan=nan",
	"acosh": "1=0 0.5=nan -inf=nan inf=inf nan=nan",
	"atanh": "0=0 -0=-0 1=inf -1=-inf 2=nan -inf=nan nan=nan",

	"hypot":     "0,0=0 -0,0=0 3,4=5 -3,-4=5 inf,nan=inf nan,-inf=inf nan,1=nan 0,nan=nan 0,-7=7 1e-40,0=1e-40",
	"logaddexp": "inf,1=inf -inf,1=1 inf,inf=inf -inf,-inf=-inf inf,-inf=inf nan,inf=nan 1,nan=nan 0,0=0.6931471805599453 1e30,-1e30=1e30 -1e38,1e38=1e38 -0,-inf=0 -1e30,-0=0 -0,-801=0",
	"erf":       "0=0 -0=-0 inf=1 -inf=-1 nan=nan 10=1 -10=-1",
	"erfc":      "0=1 -0=1 inf=0 -inf=2 nan=nan 30=0 -30=2",
	"gamma":     "0=inf -0=-inf -1=nan -2=nan -inf=nan inf=inf nan=nan 1=1 2=1 3=2 4=6 5=24 6=120 11=3628800 172=inf -190.5=-0 -191.5=0",
	"lgamma":    "1=0 2=0 0=inf -0=inf -1=inf -3=inf -inf=inf inf=inf nan=nan",
	"cbrt":      "0=0 -0=-0 inf=inf -inf=-inf nan=nan 8=2 -27=-3 1e30=1e10 0.125=0.5",

	"pow": "0,-3=inf -0,-3=-inf 0,-2=inf -0,-2=inf 0,-2.5=inf -0,-2.5=inf 0,-inf=inf -0,-inf=inf 0,3=0 -0,3=-0 0,2.5=0 -0,2=0 -1,inf=1 -1,-inf=1 1,nan=1 1,inf=1 nan,0=1 nan,-0=1 inf,0=1 -2,0.5=nan -2,3=-8 -2,2=4 0.5,-inf=inf 2,-inf=0 -0.5,-inf=inf 0.5,inf=0 2,inf=inf -2,inf=inf -inf,-3=-0 -inf,-2=0 -inf,-2.5=0 -inf,3=-inf -inf,2=inf -inf,2.5=inf inf,-1=0 inf,2=inf nan,2=nan 2,nan=nan 10,2=100 10,5=100000 2,1100=inf 2,-1100=0 -2,-1101=-0 -2,1101=-inf 0.9,1e300=0 1.1,1e30=inf",
}

func TestSpecialValues(t *testing.T) {
	for _, f := range elementary.Functions {
		entries := strings.Fields(specialValues[f.Name])
		if len(entries) == 0 {
			t.Errorf("%s: no special values", f.Name)
		}
		for _, entry := range entries {
			left, right, _ := strings.Cut(entry, "=")
			var x, y, want float64
			parse(t, right, &want)
			first, second, binary := strings.Cut(left, ",")
			parse(t, first, &x)
			if binary != (f.Arity() == 2) {
				t.Fatalf("%s: %s has the wrong number of arguments", f.Name, entry)
			}
			var got, got32 float64
			if binary {
				parse(t, second, &y)
				got, got32 = f.Binary(x, y), float64(f.Binary32(float32(x), float32(y)))
			} else {
				got, got32 = f.Unary(x), float64(f.Unary32(float32(x)))
			}
			if !same(got, want) {
				t.Errorf("%s: %s, got %v", f.Name, entry, got)
			}
			if single := math.Abs(x) == 0 || float32(x) != 0; single && !same(got32, float64(float32(want))) {
				t.Errorf("float32 %s: %s, got %v", f.Name, entry, got32)
			}
		}
	}
}

func parse(t *testing.T, s string, to *float64) {
	t.Helper()
	if _, err := fmt.Sscan(s, to); err != nil {
		t.Fatal(s, err)
	}
}

func same(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b
}

// TestExactResults: where the result is a float64, rounding may not miss it.
func TestExactResults(t *testing.T) {
	power := 1.0
	for n := range 23 { // 10^22 is the last power of ten that is a float64
		if got := elementary.Log10(power); got != float64(n) {
			t.Errorf("Log10(1e%d) = %v", n, got)
		}
		if got := elementary.Pow(10, float64(n)); got != power {
			t.Errorf("Pow(10, %d) = %v", n, got)
		}
		power *= 10
	}
	factorial := 1.0
	for n := 1.0; n <= 23; n++ { // 22! is the last factorial that is a float64
		if got := elementary.Gamma(n); got != factorial {
			t.Errorf("Gamma(%v) = %v, want %v", n, got, factorial)
		}
		factorial *= n
	}
	for k := -1074; k < 1024; k++ {
		x := math.Ldexp(1, k)
		if got := elementary.Log2(x); got != float64(k) {
			t.Errorf("Log2(2^%d) = %v", k, got)
		}
		if got := elementary.Exp2(float64(k)); got != x {
			t.Errorf("Exp2(%d) = %v", k, got)
		}
	}
	for base := 2.0; base <= 15; base++ {
		want := 1.0
		for n := 0.0; want < 1<<53; n++ {
			if got := elementary.Pow(-base, n); math.Abs(got) != want || math.Signbit(got) != (math.Mod(n, 2) == 1) {
				t.Errorf("Pow(%v, %v) = %v, want ±%v", -base, n, got, want)
			}
			want *= base
		}
	}
}
