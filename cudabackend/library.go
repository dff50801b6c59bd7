package cudabackend

import (
	"cmp"
	"fmt"
	"sync"
)

// toolkitLibrary is one of NVIDIA's beside the driver, opened when it is first asked for.
type toolkitLibrary struct {
	title  string   // "cuBLAS"
	names  []string // of its file, newest first
	wheels []string // that bring it
	status map[int]string
	calls  []string // its functions

	mu      sync.Mutex
	tried   bool
	missing error
	address map[string]uintptr
}

var cublas = toolkitLibrary{
	title:  "cuBLAS",
	names:  []string{"libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so"},
	wheels: []string{"cublas/lib/libcublas.so.*", "cu*/lib/libcublas.so.*"},
	status: map[int]string{1: "CUBLAS_STATUS_NOT_INITIALIZED", 3: "CUBLAS_STATUS_ALLOC_FAILED", 7: "CUBLAS_STATUS_INVALID_VALUE", 8: "CUBLAS_STATUS_ARCH_MISMATCH",
		11: "CUBLAS_STATUS_MAPPING_ERROR", 13: "CUBLAS_STATUS_EXECUTION_FAILED", 14: "CUBLAS_STATUS_INTERNAL_ERROR", 15: "CUBLAS_STATUS_NOT_SUPPORTED",
		16: "CUBLAS_STATUS_LICENSE_ERROR"},
	calls: []string{"cublasCreate_v2", "cublasDestroy_v2", "cublasSetStream_v2", "cublasSgemmStridedBatched", "cublasDgemmStridedBatched",
		"cublasCgemmStridedBatched", "cublasZgemmStridedBatched"},
}

var cusolver = toolkitLibrary{
	title:  "cuSOLVER",
	names:  []string{"libcusolver.so.12", "libcusolver.so.11", "libcusolver.so.10", "libcusolver.so"},
	wheels: []string{"cusolver/lib/libcusolver.so.*", "cu*/lib/libcusolver.so.*"},
	status: map[int]string{1: "CUSOLVER_STATUS_NOT_INITIALIZED", 2: "CUSOLVER_STATUS_ALLOC_FAILED", 3: "CUSOLVER_STATUS_INVALID_VALUE",
		4: "CUSOLVER_STATUS_ARCH_MISMATCH", 5: "CUSOLVER_STATUS_MAPPING_ERROR", 6: "CUSOLVER_STATUS_EXECUTION_FAILED", 7: "CUSOLVER_STATUS_INTERNAL_ERROR",
		8: "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED", 9: "CUSOLVER_STATUS_NOT_SUPPORTED", 10: "CUSOLVER_STATUS_ZERO_PIVOT", 11: "CUSOLVER_STATUS_INVALID_LICENSE"},
	calls: []string{"cusolverDnCreate", "cusolverDnDestroy", "cusolverDnSetStream",
		"cusolverDnSgetrf_bufferSize", "cusolverDnDgetrf_bufferSize", "cusolverDnCgetrf_bufferSize", "cusolverDnZgetrf_bufferSize",
		"cusolverDnSgetrf", "cusolverDnDgetrf", "cusolverDnCgetrf", "cusolverDnZgetrf",
		"cusolverDnSgetrs", "cusolverDnDgetrs", "cusolverDnCgetrs", "cusolverDnZgetrs"},
}

var cufft = toolkitLibrary{
	title:  "cuFFT",
	names:  []string{"libcufft.so.12", "libcufft.so.11", "libcufft.so.10", "libcufft.so"},
	wheels: []string{"cufft/lib/libcufft.so.*", "cu*/lib/libcufft.so.*"},
	status: map[int]string{1: "CUFFT_INVALID_PLAN", 2: "CUFFT_ALLOC_FAILED", 3: "CUFFT_INVALID_TYPE", 4: "CUFFT_INVALID_VALUE", 5: "CUFFT_INTERNAL_ERROR",
		6: "CUFFT_EXEC_FAILED", 7: "CUFFT_SETUP_FAILED", 8: "CUFFT_INVALID_SIZE", 9: "CUFFT_UNALIGNED_DATA", 11: "CUFFT_INVALID_DEVICE",
		13: "CUFFT_NO_WORKSPACE", 14: "CUFFT_NOT_IMPLEMENTED", 16: "CUFFT_NOT_SUPPORTED"},
	calls: []string{"cufftPlanMany", "cufftSetStream", "cufftExecC2C", "cufftExecZ2Z", "cufftExecR2C", "cufftExecD2Z", "cufftDestroy"},
}

// open finds the library and its functions, once. Its error says why there is none.
func (l *toolkitLibrary) open() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.tried {
		l.tried = true
		l.address, l.missing = l.load()
	}
	return l.missing
}

// must is call with an error in place of a result that is not 0.
//
//go:uintptrescapes
func (l *toolkitLibrary) must(name string, args ...uintptr) error {
	if r := l.call(name, args...); r != 0 {
		return &LibraryError{name, r, cmp.Or(l.status[r], fmt.Sprintf("an error that %s does not name", l.title))}
	}
	return nil
}
