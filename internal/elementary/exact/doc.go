// Package exact judges package elementary: the same functions of float64 arguments in math/big, to about 200 bits, by
// series and Newton steps that share nothing with the code they judge but, as starting points, Go's math. Only tests
// import it.
//
// Every function returns a new *big.Float for arguments where the function is finite and not special; start with Exp
// and SinCos, which most others stand on. It must never know a bound, or what elementary computes. Its own tests
// compare with numbers of mpmath.
package exact
