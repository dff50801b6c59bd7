package elementary

import "testing"

// TestOfTakesTheWidth: a float32 goes to the float32 function, and both widths to their own.
func TestOfTakesTheWidth(t *testing.T) {
	for _, f := range []struct {
		name     string
		of32     func(float32) float32
		of64     func(float64) float64
		want32   func(float32) float32
		want64   func(float64) float64
		argument float64
	}{
		{"exp", ExpOf[float32], ExpOf[float64], Expf, Exp, 2.3},
		{"log", LogOf[float32], LogOf[float64], Logf, Log, 2.3},
		{"sin", SinOf[float32], SinOf[float64], Sinf, Sin, 2.3},
		{"cos", CosOf[float32], CosOf[float64], Cosf, Cos, 2.3},
	} {
		if got, want := f.of32(float32(f.argument)), f.want32(float32(f.argument)); got != want {
			t.Errorf("%s of float32: %v, want %v", f.name, got, want)
		}
		if got, want := f.of64(f.argument), f.want64(f.argument); got != want {
			t.Errorf("%s of float64: %v, want %v", f.name, got, want)
		}
	}
	if got, want := PowOf(float32(2.3), 1.7), Powf(2.3, 1.7); got != want {
		t.Errorf("pow of float32: %v, want %v", got, want)
	}
	if got, want := PowOf(2.3, 1.7), Pow(2.3, 1.7); got != want {
		t.Errorf("pow of float64: %v, want %v", got, want)
	}
}
