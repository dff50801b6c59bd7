package tier

import "math"

// The functions of package math that take and return floats.
var (
	math1 []func(float64) float64
	math2 []func(x, y float64) float64

	math1Names, math2Names []string
)

func init() {
	for _, f := range []struct {
		name string
		f    func(float64) float64
	}{
		{"Acos", math.Acos}, {"Acosh", math.Acosh}, {"Asin", math.Asin}, {"Asinh", math.Asinh}, {"Atan", math.Atan}, {"Atanh", math.Atanh},
		{"Cbrt", math.Cbrt}, {"Ceil", math.Ceil}, {"Cos", math.Cos}, {"Cosh", math.Cosh}, {"Erf", math.Erf}, {"Erfc", math.Erfc},
		{"Erfcinv", math.Erfcinv}, {"Erfinv", math.Erfinv}, {"Exp", math.Exp}, {"Exp2", math.Exp2}, {"Expm1", math.Expm1}, {"Gamma", math.Gamma},
		{"J0", math.J0}, {"J1", math.J1}, {"Log", math.Log}, {"Log10", math.Log10}, {"Log1p", math.Log1p}, {"Log2", math.Log2},
		{"Logb", math.Logb}, {"Round", math.Round}, {"RoundToEven", math.RoundToEven}, {"Sin", math.Sin}, {"Sinh", math.Sinh},
		{"Tan", math.Tan}, {"Tanh", math.Tanh}, {"Trunc", math.Trunc}, {"Y0", math.Y0}, {"Y1", math.Y1},
	} {
		math1, math1Names = append(math1, f.f), append(math1Names, f.name)
	}
	for _, f := range []struct {
		name string
		f    func(x, y float64) float64
	}{
		{"Atan2", math.Atan2}, {"Copysign", math.Copysign}, {"Dim", math.Dim}, {"Hypot", math.Hypot}, {"Max", math.Max}, {"Min", math.Min},
		{"Mod", math.Mod}, {"Nextafter", math.Nextafter}, {"Pow", math.Pow}, {"Remainder", math.Remainder},
	} {
		math2, math2Names = append(math2, f.f), append(math2Names, f.name)
	}
}
