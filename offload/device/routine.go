package device

// Routine is what the maker of a device has libraries for, beside kernels.
type Routine string

// The routines, by NumPy's names where those are the same.
const (
	MatMul Routine = "matmul" // Out = A·B, matrices in C order
	// A·X = B, matrices in Fortran order: X takes the place of B, which is Out, and the factors that of A
	Solve Routine = "solve"
	FFT   Routine = "fft"  // Out = the transforms of A, complex to complex
	IFFT  Routine = "ifft" // their inverse, not divided
	RFFT  Routine = "rfft" // Out = the first N/2+1 of the transforms of A, which are real
)

// Call is a call of a routine on what is in a device's memory.
type Call struct {
	Routine Routine
	Wide    bool // of 64-bit floats, else of 32-bit ones
	Complex bool // pairs of those; of a transform, always

	// A product is (M, K)·(K, N); a system has N unknowns and K right sides; a transform N points.
	M, N, K int
	// Batch is how many products or transforms there are. Those of A and B begin so many elements after each other, 0
	// for one that all of them share; those of Out, and of transforms, lie one after the other.
	Batch            int
	StrideA, StrideB int

	A, B, Out uint64 // addresses
}

// Librarian is a device whose maker has libraries for routines.
type Librarian interface {
	// Library names the library that computes r: "cuBLAS"; or says why there is none.
	Library(r Routine) (name string, err error)
}

// Caller is a stream of a Librarian.
type Caller interface {
	// Call queues a call. Its event fails with the library's error; of a singular system, with a *Singular.
	Call(c Call) Event
}

// Singular is the error of a system of equations without a solution.
type Singular struct {
	Pivot int // the first that is 0, from 1
}

func (e *Singular) Error() string { return "singular matrix" }
