// What package cudabackend calls of cuBLAS, cuSOLVER and cuFFT, in plain loops: signatures are those of NVIDIA's documentation. Work is
// queued on the fake driver's streams, as the real ones queue it, and done when somebody waits.
#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef float complex cfloat;
typedef double complex cdouble;

// Of the fake driver, which is loaded before.
int fake_status(const char *name);                                      // what a test has the named function return
int fake_inside(const void *p, size_t n);                               // whether n bytes at p are device memory
void fake_queue(void *stream, int (*f)(void *), const void *args, size_t n); // copies args
int fake_in_context(void);

#define ENTER(name, context_error) do { int r = fake_status(name); if (r) return r; if (!fake_in_context()) return context_error; } while (0)

typedef struct handle { void *stream; } handle;
static int create(handle **out) { *out = calloc(1, sizeof **out); return 0; }

// cuBLAS: matrices by columns.
int cublasCreate_v2(handle **out) { ENTER("cublasCreate_v2", 1); return create(out); }
int cublasDestroy_v2(handle *h) { free(h); return 0; }
int cublasSetStream_v2(handle *h, void *stream) { ENTER("cublasSetStream_v2", 1); h->stream = stream; return 0; }

#define GEMM(name, T) \
	typedef struct { int m, n, k, lda, ldb, ldc, batch; long long sa, sb, sc; T alpha, beta; const T *a, *b; T *c; } name##_args; \
	static int name##_do(void *p) { \
		name##_args *g = p; \
		for (int s = 0; s < g->batch; s++) \
			for (int i = 0; i < g->m; i++) \
				for (int j = 0; j < g->n; j++) { \
					T sum = 0, *c = g->c + s * g->sc + i + (size_t)j * g->ldc; \
					for (int l = 0; l < g->k; l++) sum += g->a[s * g->sa + i + (size_t)l * g->lda] * g->b[s * g->sb + l + (size_t)j * g->ldb]; \
					*c = g->alpha * sum + (g->beta == 0 ? 0 : g->beta * *c); \
				} \
		return 0; \
	} \
	int name(handle *h, int ta, int tb, int m, int n, int k, const T *alpha, const T *a, int lda, long long sa, const T *b, int ldb, long long sb, \
		const T *beta, T *c, int ldc, long long sc, int batch) { \
		ENTER(#name, 1); \
		if (ta || tb || m < 0 || n < 0 || k < 0 || batch < 0 || lda < m || ldb < k || ldc < m) return 7; \
		if (!fake_inside(c, sizeof *c * ((batch - 1) * sc + (size_t)m * n)) || !fake_inside(a, sizeof *a * ((batch - 1) * sa + (size_t)m * k)) || \
			!fake_inside(b, sizeof *b * ((batch - 1) * sb + (size_t)k * n))) return 7; \
		name##_args g = {m, n, k, lda, ldb, ldc, batch, sa, sb, sc, *alpha, *beta, a, b, c}; \
		fake_queue(h->stream, name##_do, &g, sizeof g); \
		return 0; \
	}
GEMM(cublasSgemmStridedBatched, float)
GEMM(cublasDgemmStridedBatched, double)
GEMM(cublasCgemmStridedBatched, cfloat)
GEMM(cublasZgemmStridedBatched, cdouble)

// cuSOLVER: LU factors with partial pivoting, by columns.
int cusolverDnCreate(handle **out) { ENTER("cusolverDnCreate", 1); return create(out); }
int cusolverDnDestroy(handle *h) { free(h); return 0; }
int cusolverDnSetStream(handle *h, void *stream) { ENTER("cusolverDnSetStream", 1); h->stream = stream; return 0; }

#define SOLVER(t, T) \
	typedef struct { int n, k; T *a, *b; int *swaps, *info; } t##_args; \
	int cusolverDn##t##getrf_bufferSize(handle *h, int m, int n, T *a, int lda, int *out) { \
		(void)h; (void)a; \
		ENTER("cusolverDn" #t "getrf_bufferSize", 1); \
		if (m != n || lda < n) return 3; \
		*out = 3 * n; \
		return 0; \
	} \
	static int t##factor(void *p) { \
		t##_args *g = p; \
		int n = g->n; \
		T *a = g->a; \
		*g->info = 0; \
		for (int j = 0; j < n; j++) { \
			int best = j; \
			for (int i = j; i < n; i++) if (cabs(a[i + j * n]) > cabs(a[best + j * n])) best = i; \
			g->swaps[j] = best + 1; \
			for (int c = 0; c < n; c++) { T x = a[j + c * n]; a[j + c * n] = a[best + c * n]; a[best + c * n] = x; } \
			if (a[j + j * n] == 0) { if (!*g->info) *g->info = j + 1; continue; } \
			for (int i = j + 1; i < n; i++) { \
				a[i + j * n] /= a[j + j * n]; \
				for (int c = j + 1; c < n; c++) a[i + c * n] -= a[i + j * n] * a[j + c * n]; \
			} \
		} \
		return 0; \
	} \
	int cusolverDn##t##getrf(handle *h, int m, int n, T *a, int lda, T *work, int *swaps, int *info) { \
		ENTER("cusolverDn" #t "getrf", 1); \
		if (m != n || lda != n || !fake_inside(a, sizeof *a * n * n) || !fake_inside(work, sizeof *work * 3 * n) || !fake_inside(swaps, 4 * n) || \
			!fake_inside(info, 4)) return 3; \
		t##_args g = {n, 0, a, 0, swaps, info}; \
		fake_queue(h->stream, t##factor, &g, sizeof g); \
		return 0; \
	} \
	static int t##substitute(void *p) { \
		t##_args *g = p; \
		int n = g->n; \
		for (T *b = g->b, *a = g->a; b < g->b + (size_t)n * g->k; b += n) { \
			for (int i = 0; i < n; i++) { T x = b[i]; b[i] = b[g->swaps[i] - 1]; b[g->swaps[i] - 1] = x; } \
			for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) b[i] -= a[i + j * n] * b[j]; \
			for (int i = n - 1; i >= 0; i--) { \
				for (int j = i + 1; j < n; j++) b[i] -= a[i + j * n] * b[j]; \
				b[i] /= a[i + i * n]; \
			} \
		} \
		return 0; \
	} \
	int cusolverDn##t##getrs(handle *h, int trans, int n, int k, T *a, int lda, int *swaps, T *b, int ldb, int *info) { \
		ENTER("cusolverDn" #t "getrs", 1); \
		if (trans || lda != n || ldb != n || !fake_inside(b, sizeof *b * n * k)) return 3; \
		t##_args g = {n, k, a, b, swaps, info}; \
		fake_queue(h->stream, t##substitute, &g, sizeof g); \
		return 0; \
	}
SOLVER(S, float)
SOLVER(D, double)
SOLVER(C, cfloat)
SOLVER(Z, cdouble)

// cuFFT.
enum { PLANS = 64 };
static struct { int n, type, batch; void *stream; } plans[PLANS];
int cufftPlanMany(int *plan, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, int type, int batch) {
	(void)istride; (void)idist; (void)ostride; (void)odist;
	ENTER("cufftPlanMany", 7);
	if (rank != 1 || inembed || onembed || *n < 1 || batch < 1) return 4;
	for (int i = 0; i < PLANS; i++)
		if (!plans[i].n) { plans[i].n = *n; plans[i].type = type; plans[i].batch = batch; *plan = i; return 0; }
	return 2;
}
int cufftDestroy(int plan) { memset(&plans[plan], 0, sizeof plans[plan]); return 0; }
int cufftSetStream(int plan, void *stream) { ENTER("cufftSetStream", 7); plans[plan].stream = stream; return 0; }

#define FFT(name, code, In, Out, INVERSE_PARAMETER, sign, outputs) \
	typedef struct { int n, batch, direction; const In *in; Out *out; } name##_args; \
	static int name##_do(void *p) { \
		name##_args *g = p; \
		cdouble *x = malloc(sizeof *x * g->n); \
		int m = outputs; \
		for (int s = 0; s < g->batch; s++) { \
			for (int j = 0; j < g->n; j++) x[j] = g->in[(size_t)s * g->n + j]; /* in and out may be one */ \
			for (int k = 0; k < m; k++) { \
				cdouble sum = 0; \
				for (int j = 0; j < g->n; j++) sum += x[j] * cexp(g->direction * 2 * M_PI * I * ((double)((long long)j * k % g->n) / g->n)); \
				g->out[(size_t)s * m + k] = sum; \
			} \
		} \
		free(x); \
		return 0; \
	} \
	int name(int plan, const In *in, Out *out INVERSE_PARAMETER) { \
		ENTER(#name, 7); \
		if (plan < 0 || plan >= PLANS || !plans[plan].n || plans[plan].type != code) return 1; \
		name##_args one = {plans[plan].n, plans[plan].batch, sign, in, out}, *g = &one; \
		if (!fake_inside(in, sizeof *in * g->n * g->batch) || !fake_inside(out, sizeof *out * (outputs) * g->batch)) return 4; \
		fake_queue(plans[plan].stream, name##_do, g, sizeof *g); \
		return 0; \
	}
#define DIRECTION , int direction
FFT(cufftExecC2C, 0x29, cfloat, cfloat, DIRECTION, direction, g->n)
FFT(cufftExecZ2Z, 0x69, cdouble, cdouble, DIRECTION, direction, g->n)
FFT(cufftExecR2C, 0x2a, float, cfloat, , -1, g->n / 2 + 1)
FFT(cufftExecD2Z, 0x6a, double, cdouble, , -1, g->n / 2 + 1)
