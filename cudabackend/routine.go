package cudabackend

import (
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/arrayrepl/arrayrepl/offload/device"
	"github.com/arrayrepl/arrayrepl/offload/trace"
)

// LibraryError is a call of one of NVIDIA's libraries that failed.
type LibraryError struct {
	Call   string // "cublasDgemmStridedBatched"
	Result int
	Name   string // "CUBLAS_STATUS_ALLOC_FAILED"
}

func (e *LibraryError) Error() string {
	s := fmt.Sprintf("%s: %s (%d)", e.Call, e.Name, e.Result)
	for end, remedy := range map[string]string{
		"_ALLOC_FAILED":    remedies[resultOutOfMemory],
		"_NOT_INITIALIZED": "its version may not fit the driver's: see `arrayrepl devices`, or do without it: " + LibrariesVariable + "=off",
		"_ARCH_MISMATCH":   "the library has no code for this card: install another version, or do without it: " + LibrariesVariable + "=off",
	} {
		if strings.HasSuffix(e.Name, end) {
			s += "; " + remedy
		}
	}
	return s
}

// LibrariesVariable names the folder in which cuBLAS, cuSOLVER and cuFFT are, or is "off".
const LibrariesVariable = "ARRAYREPL_CUDA_LIBRARIES"

// serves says which library has a routine.
var serves = map[device.Routine]*toolkitLibrary{device.MatMul: &cublas, device.Solve: &cusolver, device.FFT: &cufft, device.IFFT: &cufft, device.RFFT: &cufft}

// Library names the library that has r, opening it. See device.Librarian.
func (g *GPU) Library(r device.Routine) (string, error) {
	l := serves[r]
	if l == nil {
		return "", fmt.Errorf("no library has %q", r)
	}
	return l.title, l.open()
}

// handles are what libraries have made in a GPU's context. The GPU's libraries lock guards them.
type handles struct {
	blas, solver uintptr
	plans        map[plan]int32
}

// plan is how a transform is done; plans have memory of their own, so each stream has its own.
type plan struct {
	kind, n, batch int
	stream         uintptr
}

// maxPlans is how many plans are kept.
const maxPlans = 16

// Call queues a call of a library.
func (s *stream) Call(c device.Call) device.Event {
	name := string(c.Routine)
	l := serves[c.Routine]
	if l == nil {
		return s.submit(name, trace.Kernel, 0, nil, fmt.Errorf("no library has %q", c.Routine), nil)
	}
	return s.submit(l.title+" "+name, trace.Kernel, 0, nil, l.open(), func(e *event) error {
		s.gpu.libraries.Lock()
		defer s.gpu.libraries.Unlock()
		switch l {
		case &cublas:
			return s.multiply(c)
		case &cusolver:
			return s.solve(e, c)
		}
		return s.transform(c)
	})
}

// letter is the one for the numbers of c in names of cuBLAS and cuSOLVER.
func letter(c device.Call) string {
	switch {
	case c.Complex && c.Wide:
		return "Z"
	case c.Complex:
		return "C"
	case c.Wide:
		return "D"
	}
	return "S"
}

// 0 and 1 as cuBLAS takes them, by their addresses: as complex numbers, which begin with the real part.
var (
	narrow = [2]complex64{0, 1}
	wide   = [2]complex128{0, 1}
)

// multiply queues products. Matrices in C order are the transposed ones in cuBLAS's, and (A·B)ᵀ = Bᵀ·Aᵀ. Called in the
// context, as are all below.
func (s *stream) multiply(c device.Call) error {
	h := &s.gpu.handles
	if h.blas == 0 {
		if err := cublas.must("cublasCreate_v2", uintptr(unsafe.Pointer(&h.blas))); err != nil {
			return err
		}
	}
	if err := cublas.must("cublasSetStream_v2", h.blas, s.handle); err != nil {
		return err
	}
	alpha, beta := uintptr(unsafe.Pointer(&narrow[1])), uintptr(unsafe.Pointer(&narrow[0]))
	if c.Wide {
		alpha, beta = uintptr(unsafe.Pointer(&wide[1])), uintptr(unsafe.Pointer(&wide[0]))
	}
	const plain = 0 // CUBLAS_OP_N
	return cublas.must("cublas"+letter(c)+"gemmStridedBatched", h.blas, plain, plain, uintptr(c.N), uintptr(c.M), uintptr(c.K), alpha,
		uintptr(c.B), uintptr(max(c.N, 1)), uintptr(c.StrideB), uintptr(c.A), uintptr(max(c.K, 1)), uintptr(c.StrideA), beta,
		uintptr(c.Out), uintptr(max(c.N, 1)), uintptr(c.M*c.N), uintptr(c.Batch))
}

// solve queues the factorization with partial pivoting and the two triangular systems. Whether a pivot was 0 is looked
// at when e is over.
func (s *stream) solve(e *event, c device.Call) error {
	h, n, t := &s.gpu.handles, uintptr(c.N), "cusolverDn"+letter(c)
	if h.solver == 0 {
		if err := cusolver.must("cusolverDnCreate", uintptr(unsafe.Pointer(&h.solver))); err != nil {
			return err
		}
	}
	if err := cusolver.must("cusolverDnSetStream", h.solver, s.handle); err != nil {
		return err
	}
	var elements int32
	if err := cusolver.must(t+"getrf_bufferSize", h.solver, n, n, uintptr(c.A), n, uintptr(unsafe.Pointer(&elements))); err != nil {
		return err
	}
	aligned := func(bytes int) int { return (bytes + 255) / 256 * 256 }
	const widest = 16 // bytes of an element
	buffer, pivots := aligned(int(elements)*widest), aligned(c.N*4)
	work, err := s.scratch(buffer + pivots + 4)
	if err != nil {
		return err
	}
	swaps := work + uintptr(buffer)
	info := swaps + uintptr(pivots)
	slot, err := s.gpu.slot()
	if err != nil {
		return err
	}
	if err := cusolver.must(t+"getrf", h.solver, n, n, uintptr(c.A), n, work, swaps, info); err != nil {
		return err
	}
	if err := s.gpu.driver.must(fnMemcpyDtoHAsync, uintptr(unsafe.Pointer(&slot[0])), info, 4, s.handle); err != nil {
		return err
	}
	e.pivot = slot
	const plain = 0 // CUBLAS_OP_N
	if err := cusolver.must(t+"getrs", h.solver, plain, n, uintptr(c.K), uintptr(c.A), n, swaps, uintptr(c.Out), n, info); err != nil {
		return err
	}
	return s.unscratch(work)
}

// scratch returns device memory for what is queued on s from now until unscratch.
func (s *stream) scratch(bytes int) (at uintptr, err error) {
	g := s.gpu
	if g.pools {
		err = g.driver.must(fnMemAllocAsync, uintptr(unsafe.Pointer(&at)), uintptr(bytes), s.handle)
	} else {
		err = g.driver.must(fnMemAlloc, uintptr(unsafe.Pointer(&at)), uintptr(bytes))
	}
	var e *Error
	if errors.As(err, &e) && e.Result == resultOutOfMemory {
		var free, all int64
		if err := g.driver.must(fnMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&all))); err != nil {
			return 0, err
		}
		return 0, g.full(bytes, free, all)
	}
	return at, err
}

func (s *stream) unscratch(at uintptr) error {
	if s.gpu.pools {
		return s.gpu.driver.must(fnMemFreeAsync, at, s.handle)
	}
	return s.gpu.driver.must(fnMemFree, at) // waits for the work that is queued
}

// The kinds and directions of transforms (cufftType).
const (
	fftR2C  = 0x2a
	fftC2C  = 0x29
	fftD2Z  = 0x6a
	fftZ2Z  = 0x69
	forward = ^uintptr(0) // -1
	inverse = 1
)

// transform queues transforms.
func (s *stream) transform(c device.Call) error {
	kind, exec, direction := fftC2C, "cufftExecC2C", []uintptr{forward}
	switch {
	case c.Routine == device.RFFT && c.Wide:
		kind, exec, direction = fftD2Z, "cufftExecD2Z", nil
	case c.Routine == device.RFFT:
		kind, exec, direction = fftR2C, "cufftExecR2C", nil
	case c.Wide:
		kind, exec = fftZ2Z, "cufftExecZ2Z"
	}
	if c.Routine == device.IFFT {
		direction = []uintptr{inverse}
	}
	p, err := s.plan(plan{kind, c.N, c.Batch, s.handle})
	if err != nil {
		return err
	}
	if err := cufft.must("cufftSetStream", uintptr(p), s.handle); err != nil {
		return err
	}
	return cufft.must(exec, append([]uintptr{uintptr(p), uintptr(c.A), uintptr(c.Out)}, direction...)...)
}

// plan returns the plan p on s, made where there is none. When there are too many, all are given back.
func (s *stream) plan(p plan) (int32, error) {
	h := &s.gpu.handles
	if made, ok := h.plans[p]; ok {
		return made, nil
	}
	if len(h.plans) == maxPlans {
		h.destroyPlans()
	}
	var made int32
	n := int32(p.n)
	if err := cufft.must("cufftPlanMany", uintptr(unsafe.Pointer(&made)), 1, uintptr(unsafe.Pointer(&n)),
		0, 1, 0, 0, 1, 0, uintptr(p.kind), uintptr(p.batch)); err != nil {
		return 0, err
	}
	if h.plans == nil {
		h.plans = map[plan]int32{}
	}
	h.plans[p] = made
	return made, nil
}

func (h *handles) destroyPlans() {
	for _, made := range h.plans {
		cufft.call("cufftDestroy", uintptr(made))
	}
	h.plans = nil
}

// destroy gives back what was made. Called in the context, when all work is done.
func (h *handles) destroy() {
	h.destroyPlans()
	if h.blas != 0 {
		cublas.call("cublasDestroy_v2", h.blas)
	}
	if h.solver != 0 {
		cusolver.call("cusolverDnDestroy", h.solver)
	}
	*h = handles{}
}
