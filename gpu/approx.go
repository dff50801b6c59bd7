package gpu

import "github.com/arrayrepl/arrayrepl/internal/sfu"

// Approximations are what a GPU's special function units give in one instruction each, see [Approx].
type Approximations struct{}

// Approx has functions of float32 by the GPU's special function units: one instruction each, of 22 to 24 good bits,
// where [Rsqrtf] and its kin take ten to fifty and are right to the last bit or nearly. They are for kernels, and give
// the same outside of them.
//
//	inverse := gpu.Approx.Rsqrt(dx*dx + dy*dy + dz*dz)
//
// The CPU, simulated GPUs and [Emulate] compute them alike, by quadratic interpolation from tables as such units do. An
// NVIDIA card has tables of its own, so its last bits are others: these are the only operations of kernels for which
// devices may differ. simgpu.SFU.Sweep shows how they err.
var Approx Approximations

// Rcp returns 1/x, at most 1 ulp from it.
func (Approximations) Rcp(x float32) float32 { return sfu.Rcp(x) }

// Rsqrt returns 1/√x, at most 1.5 ulp from it.
func (Approximations) Rsqrt(x float32) float32 { return sfu.Rsqrt(x) }

// Sqrt returns √x, at most 1.5 ulp from it.
func (Approximations) Sqrt(x float32) float32 { return sfu.Sqrt(x) }

// Exp2 returns 2 to the power x, at most 1.5 ulp from it.
func (Approximations) Exp2(x float32) float32 { return sfu.Exp2(x) }

// Log2 returns the binary logarithm of x, at most 2^-22.5 from it: near x = 1, where the result is small, few of its
// bits are right.
func (Approximations) Log2(x float32) float32 { return sfu.Log2(x) }

// Sin returns the sine of x radians, at most 2^-22.4 from it where |x| is below 2^30: where the result is small, few of
// its bits are right.
func (Approximations) Sin(x float32) float32 { return sfu.Sin(x) }

// Cos returns the cosine of x radians, as Sin does.
func (Approximations) Cos(x float32) float32 { return sfu.Cos(x) }

// Div returns x/y as the product of x and Rcp(y), rounded: at most 2 ulp from it, but where Rcp(y) is beyond the range
// of float32 or subnormal.
func (Approximations) Div(x, y float32) float32 { return x * sfu.Rcp(y) }
