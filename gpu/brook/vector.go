package brook

import "math"

// F2 is a vector of two numbers, an element of streams. Kernels may call its methods.
type F2 struct{ X, Y float32 }

// Add returns v + w, member by member.
func (v F2) Add(w F2) F2 { return F2{v.X + w.X, v.Y + w.Y} }

// Sub returns v - w.
func (v F2) Sub(w F2) F2 { return F2{v.X - w.X, v.Y - w.Y} }

// Mul returns the products of the members.
func (v F2) Mul(w F2) F2 { return F2{v.X * w.X, v.Y * w.Y} }

// Min returns the lesser of each member.
func (v F2) Min(w F2) F2 { return F2{min(v.X, w.X), min(v.Y, w.Y)} }

// Max returns the greater of each member.
func (v F2) Max(w F2) F2 { return F2{max(v.X, w.X), max(v.Y, w.Y)} }

// Scale returns a*v.
func (v F2) Scale(a float32) F2 { return F2{v.X * a, v.Y * a} }

// MAdd returns a*v + w: one instruction of the machines of the paper, here two that round each.
func (v F2) MAdd(a float32, w F2) F2 { return v.Scale(a).Add(w) }

// Dot returns the sum of the products of the members, added from X on.
func (v F2) Dot(w F2) float32 { return float32(v.X*w.X) + float32(v.Y*w.Y) }

// Length returns the square root of Dot(v, v).
func (v F2) Length() float32 { return float32(math.Sqrt(float64(v.Dot(v)))) }

// F3 is a vector of three numbers, an element of streams. Kernels may call its methods.
type F3 struct{ X, Y, Z float32 }

// Add returns v + w, member by member.
func (v F3) Add(w F3) F3 { return F3{v.X + w.X, v.Y + w.Y, v.Z + w.Z} }

// Sub returns v - w.
func (v F3) Sub(w F3) F3 { return F3{v.X - w.X, v.Y - w.Y, v.Z - w.Z} }

// Mul returns the products of the members.
func (v F3) Mul(w F3) F3 { return F3{v.X * w.X, v.Y * w.Y, v.Z * w.Z} }

// Min returns the lesser of each member.
func (v F3) Min(w F3) F3 { return F3{min(v.X, w.X), min(v.Y, w.Y), min(v.Z, w.Z)} }

// Max returns the greater of each member.
func (v F3) Max(w F3) F3 { return F3{max(v.X, w.X), max(v.Y, w.Y), max(v.Z, w.Z)} }

// Scale returns a*v.
func (v F3) Scale(a float32) F3 { return F3{v.X * a, v.Y * a, v.Z * a} }

// MAdd returns a*v + w: one instruction of the machines of the paper, here two that round each.
func (v F3) MAdd(a float32, w F3) F3 { return v.Scale(a).Add(w) }

// Dot returns the sum of the products of the members, added from X on.
func (v F3) Dot(w F3) float32 { return float32(v.X*w.X) + float32(v.Y*w.Y) + float32(v.Z*w.Z) }

// Length returns the square root of Dot(v, v).
func (v F3) Length() float32 { return float32(math.Sqrt(float64(v.Dot(v)))) }

// Cross returns the vector product.
func (v F3) Cross(w F3) F3 {
	return F3{
		float32(v.Y*w.Z) - float32(v.Z*w.Y),
		float32(v.Z*w.X) - float32(v.X*w.Z),
		float32(v.X*w.Y) - float32(v.Y*w.X),
	}
}

// F4 is a vector of four numbers, an element of streams. Kernels may call its methods.
type F4 struct{ X, Y, Z, W float32 }

// Add returns v + w, member by member.
func (v F4) Add(w F4) F4 { return F4{v.X + w.X, v.Y + w.Y, v.Z + w.Z, v.W + w.W} }

// Sub returns v - w.
func (v F4) Sub(w F4) F4 { return F4{v.X - w.X, v.Y - w.Y, v.Z - w.Z, v.W - w.W} }

// Mul returns the products of the members.
func (v F4) Mul(w F4) F4 { return F4{v.X * w.X, v.Y * w.Y, v.Z * w.Z, v.W * w.W} }

// Min returns the lesser of each member.
func (v F4) Min(w F4) F4 { return F4{min(v.X, w.X), min(v.Y, w.Y), min(v.Z, w.Z), min(v.W, w.W)} }

// Max returns the greater of each member.
func (v F4) Max(w F4) F4 { return F4{max(v.X, w.X), max(v.Y, w.Y), max(v.Z, w.Z), max(v.W, w.W)} }

// Scale returns a*v.
func (v F4) Scale(a float32) F4 { return F4{v.X * a, v.Y * a, v.Z * a, v.W * a} }

// MAdd returns a*v + w: one instruction of the machines of the paper, here two that round each.
func (v F4) MAdd(a float32, w F4) F4 { return v.Scale(a).Add(w) }

// Dot returns the sum of the products of the members, added from X on.
func (v F4) Dot(w F4) float32 {
	return float32(v.X*w.X) + float32(v.Y*w.Y) + float32(v.Z*w.Z) + float32(v.W*w.W)
}

// Length returns the square root of Dot(v, v).
func (v F4) Length() float32 { return float32(math.Sqrt(float64(v.Dot(v)))) }
