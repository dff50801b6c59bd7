// A driver library without a GPU: the functions of libcuda.so.1 that package cudabackend calls, with their rules.
//
// Nothing that is queued on a stream is done before somebody waits for it or asks whether it is done, and an ask does one operation at
// most, so that what forgets to wait sees old data every time. Kernels are executed by a function that the test gives.
//
// A kernel that fetches lines of files runs beside what other streams do, in a thread of that function's: it begins when its turn
// comes, and who asks hears that it is not ready. It sees the host's pinned memory that was mapped, at other addresses than the host.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_PTX = 218, INVALID_CONTEXT = 201, INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700, LAUNCH_TIMEOUT = 702 };
enum { DEVICES = 4, USERS = 64, STARTED = 0x5eed };

typedef struct allocation { uint64_t at; size_t bytes; int device; struct allocation *next; } allocation;
typedef struct context { int device; } context;
typedef struct mark { int done; double ms; } mark; // one recording of an event
typedef struct event { mark *last; int device; } event;
struct launch;
typedef struct op {
	struct launch *running; // of a kernel that has begun
	int kind; // 'c' copy, 's' set, 'k' kernel, 'h' a library's work, 'r' record, 'w' wait, 'f' free
	void *dst; const void *src; size_t n; int value;
	mark *m;
	int (*host)(void *);
	struct function *f; unsigned grid[3], block[3], shared; void *params; size_t size;
	struct op *next;
} op;
typedef struct stream { int device; op *first, *last; double ms; } stream;
enum { TABLES = 8 };
typedef struct table { char name[40]; uint64_t offset, at; size_t bytes; } table; // in constant memory, filled from outside
typedef struct module { char *ptx; int device; uint64_t globals; size_t bytes; table tables[TABLES]; uint64_t ntables; struct module *next; } module;
typedef struct function { module *m; char *name; int dynamic; } function;

// What the test's function gets for a launch.
typedef struct launch {
	const char *ptx, *name;
	unsigned grid[3], block[3], shared;
	const void *params; uint64_t size;
	const uint64_t *spans; uint64_t nspans; // address and size of all device memory of the card
	uint64_t record;                        // of failed checks
	const table *tables; uint64_t ntables;
	const uint64_t *mapped; uint64_t nmapped; // of memory of the host: address for the card, for the host, size
	int done, result;                         // of one that goes on when the function has returned RUNNING
} launch;
enum { RUNNING = -1 };
#define MAPPED (1ull << 47) // from the host's address of mapped memory to the card's

// What a test sets and reads. Processes that have the library open share it by way of a file, where the environment names one.
typedef struct state {
	int devices, version, pools;
	uint64_t capacity;
	struct { int pid; uint64_t has[DEVICES]; } users[USERS]; // processes, which share a card's memory
	char fault[64];
	int fault_after, fault_code;
	int capability;
} state;
static state own = {.devices = 1, .version = 12040, .pools = 1, .capacity = 64 << 20, .capability = 80}, *shared = &own;
#define devices shared->devices
#define version shared->version
#define pools shared->pools
#define capacity shared->capacity
#define used shared->users[me].has
#define fault shared->fault
#define fault_after shared->fault_after
#define fault_code shared->fault_code
__attribute__((constructor)) static void share(void) {
	const char *name = getenv("ARRAYREPL_FAKE_STATE");
	int fd = name ? open(name, O_RDWR | O_CREAT, 0600) : -1;
	if (fd < 0) return;
	void *p = ftruncate(fd, sizeof own) ? MAP_FAILED : mmap(0, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (p != MAP_FAILED) shared = p;
}

static int me; // among users
static uint64_t taken(int device) {
	uint64_t sum = 0;
	for (int i = 0; i < USERS; i++) if (shared->users[i].pid && !kill(shared->users[i].pid, 0)) sum += shared->users[i].has[device];
	return sum;
}
static void count(int device, uint64_t bytes) {
	if (shared->users[me].pid == getpid()) used[device] += bytes; // else a reset has forgotten this process, which a test has ended
}
static int started, broken;
static uint64_t host_bytes;
static allocation *allocations;
static allocation *mapped; // pinned memory of the host that cards see
static context contexts[DEVICES];
static int retained[DEVICES];
static uint64_t left[DEVICES]; // bytes that were allocated when a context ended
static stream *streams[256];
static int nstreams;
static __thread context *current;
static int (*engine)(launch *);
static int (*compiler)(const char *ptx, char *log, uint64_t size);

// The test's side.
void fake_engine(void *run, void *compile) { engine = (int (*)(launch *))run; compiler = (int (*)(const char *, char *, uint64_t))compile; }
void fake_fail(const char *name, int after, int code) { strncpy(fault, name, 63); fault_after = after; fault_code = code; }
void fake_capability(int c) { shared->capability = c; }
uint64_t fake_used(int device) { return taken(device); }
uint64_t fake_left(int device) { return left[device]; }

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int lock(void) { pthread_mutex_lock(&mutex); return 0; }
static void unlock(int *x) { (void)x; pthread_mutex_unlock(&mutex); }
#define LOCK __attribute__((cleanup(unlock), unused)) int held = lock()

static int enter(const char *name) {
	if (fault[0] && !strcmp(fault, name) && fault_after-- == 0) {
		fault[0] = 0;
		if (fault_code >= 700) broken = fault_code;
		return fault_code;
	}
	return broken;
}
#define ENTER(name) LOCK; do { int r = enter(name); if (r) return r; } while (0)
#define INIT(name) ENTER(name); if (started != STARTED) return 3
#define IN_CONTEXT(name) INIT(name); if (!current) return INVALID_CONTEXT

static int allocate(int device, size_t bytes, uint64_t *out) {
	if (bytes > capacity || taken(device) > capacity - bytes) return OUT_OF_MEMORY;
	allocation *a = malloc(sizeof *a);
	void *p = 0;
	if (posix_memalign(&p, 256, bytes)) return OUT_OF_MEMORY;
	memset(p, 0xA5, bytes); // nobody may count on zeros
	*a = (allocation){(uint64_t)p, bytes, device, allocations};
	allocations = a;
	count(device, bytes);
	*out = a->at;
	return OK;
}
static int release(uint64_t at) {
	for (allocation **p = &allocations; *p; p = &(*p)->next)
		if ((*p)->at == at) {
			allocation *a = *p;
			*p = a->next;
			count(a->device, -a->bytes);
			memset((void *)a->at, 0xDD, a->bytes);
			free((void *)a->at);
			free(a);
			return OK;
		}
	return INVALID_VALUE;
}
void fake_begin(void) { // what processes before this one had went with them
	for (me = 0; me < USERS - 1 && shared->users[me].pid && shared->users[me].pid != getpid() && !kill(shared->users[me].pid, 0); me++) {}
	shared->users[me].pid = getpid();
	memset(used, 0, sizeof used);
}
void fake_reset(int n, uint64_t bytes, int v, int with_pools) {
	shared->capability = 80;
	devices = n; capacity = bytes; version = v; pools = with_pools; started = broken = 0; fault[0] = 0;
	nstreams = 0; // those of a broken context cannot be destroyed
	while (allocations) release(allocations->at);
	memset(shared->users, 0, sizeof shared->users); // workers of tests before may take their time to end
	fake_begin();
}
// inside reports whether n bytes at p are device memory, of one allocation.
static int inside(const void *p, size_t n) {
	uint64_t at = (uint64_t)p;
	for (allocation *a = allocations; a; a = a->next)
		if (at >= a->at && at - a->at <= a->bytes && n <= a->bytes - (at - a->at)) return 1;
	return 0;
}

static int step(stream *s);
static int running(const stream *s) { return s->first && s->first->running && !__atomic_load_n(&s->first->running->done, __ATOMIC_ACQUIRE); }
static int blocked(const stream *s) { return !s->first || (s->first->kind == 'w' && !s->first->m->done) || running(s); }
// rest lets others call the driver while a kernel runs, and reports whether one does. The caller holds the mutex once.
static int rest(void) {
	for (int i = 0; i < nstreams; i++)
		if (streams[i] && running(streams[i])) {
			pthread_mutex_unlock(&mutex);
			usleep(50);
			pthread_mutex_lock(&mutex);
			return 1;
		}
	return 0;
}
// finish does what must be done for m, and as much elsewhere.
static int finish(mark *m) {
	while (!m->done) {
		int moved = 0;
		for (int i = 0; i < nstreams && !m->done; i++)
			if (streams[i] && !blocked(streams[i])) { moved = 1; int r = step(streams[i]); if (r) return r; }
		if (!moved && !rest()) return broken = LAUNCH_TIMEOUT; // streams that wait for each other
	}
	return broken;
}
static int drain(stream *s) {
	while (s->first) {
		if (running(s)) { rest(); continue; }
		int r = blocked(s) ? finish(s->first->m) : step(s);
		if (r) return r;
	}
	return broken;
}
static int kernel(stream *s, op *o) {
	uint64_t n = 0, *spans = 0;
	for (allocation *a = allocations; a; a = a->next) if (a->device == s->device) n++;
	spans = malloc(16 * (n + 1));
	n = 0;
	for (allocation *a = allocations; a; a = a->next)
		if (a->device == s->device) { spans[2 * n] = a->at; spans[2 * n + 1] = a->bytes; n++; }
	uint64_t nm = 0, *seen;
	for (allocation *a = mapped; a; a = a->next) nm++;
	seen = malloc(24 * (nm + 1));
	nm = 0;
	for (allocation *a = mapped; a; a = a->next, nm++) { seen[3 * nm] = a->at + MAPPED; seen[3 * nm + 1] = a->at; seen[3 * nm + 2] = a->bytes; }
	launch *l = malloc(sizeof *l);
	*l = (launch){o->f->m->ptx, o->f->name, {o->grid[0], o->grid[1], o->grid[2]}, {o->block[0], o->block[1], o->block[2]}, o->shared, o->params, o->size, spans, n, o->f->m->globals, o->f->m->tables, o->f->m->ntables, seen, nm, 0, 0};
	int r = engine ? engine(l) : 1;
	free(spans); // the function has copied them
	free(seen);
	if (r == RUNNING) o->running = l; else free(l);
	return r;
}
// step does the first operation of s, which is not blocked.
static int step(stream *s) {
	op *o = s->first;
	int r = OK;
	s->ms += 0.001;
	switch (o->kind) {
	case 'c':
		memmove(o->dst, o->src, o->n);
		s->ms += o->n / 1e6;
		break;
	case 's': memset(o->dst, o->value, o->n); break;
	case 'f': r = release((uint64_t)o->dst); break;
	case 'k':
		if (o->running) { r = o->running->result; free(o->running); }
		else if ((r = kernel(s, o)) == RUNNING) return broken;
		s->ms += 0.01;
		break;
	case 'h': r = o->host(o->params); s->ms += 0.01; break;
	case 'r': o->m->done = 1; o->m->ms = s->ms; break;
	case 'w':
		if (o->m->ms > s->ms) s->ms = o->m->ms;
		break;
	}
	s->first = o->next;
	if (!s->first) s->last = 0;
	free(o->params);
	free(o);
	if (r) broken = r >= 700 ? r : ILLEGAL_ADDRESS;
	return broken;
}
static op *queue(stream *s, int kind) {
	op *o = calloc(1, sizeof *o);
	o->kind = kind;
	if (s->last) s->last->next = o; else s->first = o;
	s->last = o;
	return o;
}

// The side of the fake libraries.
int fake_status(const char *name) { LOCK; return enter(name); }
int fake_inside(const void *p, size_t n) { LOCK; return inside(p, n); }
int fake_in_context(void) { return current != 0; }
void fake_queue(stream *s, int (*f)(void *), const void *args, size_t n) {
	LOCK;
	op *o = queue(s, 'h');
	o->host = f;
	o->params = malloc(n);
	memcpy(o->params, args, n);
}

int cuInit(unsigned flags) { (void)flags; ENTER("cuInit"); if (!devices) return NO_DEVICE; started = STARTED; return OK; }
int cuDriverGetVersion(int *v) { ENTER("cuDriverGetVersion"); *v = version; return OK; }
static const struct { int code; const char *name, *text; } errors[] = {
	{1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"}, {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"}, {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	{100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"}, {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
	{201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"}, {218, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"}, {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
	{400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"}, {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"}, {600, "CUDA_ERROR_NOT_READY", "device not ready"},
	{700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"}, {702, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"}, {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
};
static int describe(int code, const char **out, int text) {
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (errors[i].code == code) { *out = text ? errors[i].text : errors[i].name; return OK; }
	*out = 0;
	return INVALID_VALUE;
}
int cuGetErrorName(int code, const char **out) { return describe(code, out, 0); }
int cuGetErrorString(int code, const char **out) { return describe(code, out, 1); }

int cuDeviceGetCount(int *n) { INIT("cuDeviceGetCount"); *n = devices; return OK; }
int cuDeviceGet(int *d, int i) { INIT("cuDeviceGet"); if (i < 0 || i >= devices) return INVALID_DEVICE; *d = i; return OK; }
int cuDeviceGetName(char *name, int n, int d) { (void)d; INIT("cuDeviceGetName"); strncpy(name, "Fake GPU", n); return OK; }
int cuDeviceTotalMem_v2(size_t *n, int d) { (void)d; INIT("cuDeviceTotalMem_v2"); *n = capacity; return OK; }
int cuDeviceGetAttribute(int *x, int a, int d) {
	(void)d;
	INIT("cuDeviceGetAttribute");
	switch (a) {
	case 1: *x = 1024; return OK;
	case 10: *x = 32; return OK;
	case 13: *x = 1500000; return OK;
	case 16: *x = 8; return OK;
	case 36: *x = 1000000; return OK;
	case 37: *x = 1024; return OK;
	case 39: *x = 2048; return OK;
	case 75: *x = shared->capability / 10; return OK;
	case 76: *x = shared->capability % 10; return OK;
	case 81: *x = 167936; return OK;
	case 82: *x = 65536; return OK;
	case 97: *x = 166912; return OK;
	case 106: *x = 32; return OK;
	case 115: *x = pools; return OK;
	}
	return INVALID_VALUE;
}
int cuDeviceCanAccessPeer(int *can, int a, int b) { INIT("cuDeviceCanAccessPeer"); *can = a != b; return OK; }
int cuDevicePrimaryCtxRetain(context **c, int d) { INIT("cuDevicePrimaryCtxRetain"); retained[d]++; contexts[d].device = d; *c = &contexts[d]; return OK; }
int cuDevicePrimaryCtxRelease_v2(int d) { // the last one ends the context, and its memory with it
	LOCK;
	if (started != STARTED || !retained[d]) return INVALID_CONTEXT;
	if (--retained[d]) return OK;
	left[d] = 0;
	for (allocation *a = allocations, *next; a; a = next) {
		next = a->next;
		if (a->device == d) left[d] += a->bytes, release(a->at);
	}
	return OK;
}
int cuCtxSetCurrent(context *c) { INIT("cuCtxSetCurrent"); current = c; return OK; }
int cuCtxEnablePeerAccess(context *c, unsigned flags) { (void)c; (void)flags; IN_CONTEXT("cuCtxEnablePeerAccess"); return OK; }
int cuCtxGetStreamPriorityRange(int *least, int *greatest) { IN_CONTEXT("cuCtxGetStreamPriorityRange"); *least = 0; *greatest = -5; return OK; }

int cuMemGetInfo_v2(size_t *available, size_t *total) { IN_CONTEXT("cuMemGetInfo_v2"); *available = capacity - taken(current->device); *total = capacity; return OK; }
int cuMemAlloc_v2(uint64_t *p, size_t n) { IN_CONTEXT("cuMemAlloc_v2"); return allocate(current->device, n, p); }
int cuMemFree_v2(uint64_t p) {
	IN_CONTEXT("cuMemFree_v2");
	for (int i = 0; i < nstreams; i++) if (streams[i]) { int r = drain(streams[i]); if (r) return r; }
	return release(p);
}
int cuMemAllocAsync(uint64_t *p, size_t n, stream *s) {
	IN_CONTEXT("cuMemAllocAsync");
	int r = allocate(s->device, n, p);
	if (r == OUT_OF_MEMORY && !(r = drain(s))) r = allocate(s->device, n, p); // what the stream frees before is there for it
	return r;
}
int cuMemFreeAsync(uint64_t p, stream *s) {
	IN_CONTEXT("cuMemFreeAsync");
	if (!inside((void *)p, 1)) return INVALID_VALUE;
	queue(s, 'f')->dst = (void *)p;
	return OK;
}
int cuDeviceGetDefaultMemPool(void **p, int d) { (void)d; INIT("cuDeviceGetDefaultMemPool"); *p = &pools; return OK; }
int cuMemPoolSetAttribute(void *p, int a, void *x) { (void)p; (void)x; INIT("cuMemPoolSetAttribute"); return a == 4 ? OK : INVALID_VALUE; }
enum { DEVICEMAP = 2 };
static void map(void *p, size_t n) {
	allocation *a = malloc(sizeof *a);
	*a = (allocation){(uint64_t)p, n, 0, mapped};
	mapped = a;
}
int cuMemHostAlloc(void **p, size_t n, unsigned flags) {
	IN_CONTEXT("cuMemHostAlloc");
	if (posix_memalign(p, 256, n)) return OUT_OF_MEMORY;
	memset(*p, 0xA5, n);
	host_bytes += n;
	if (flags & DEVICEMAP) map(*p, n);
	return OK;
}
int cuMemHostRegister_v2(void *p, size_t n, unsigned flags) {
	IN_CONTEXT("cuMemHostRegister_v2");
	if (!p || !n || flags & ~3u || !(flags & 1)) return INVALID_VALUE;
	if (flags & DEVICEMAP) map(p, n);
	return OK;
}
int cuMemHostGetDevicePointer_v2(uint64_t *out, void *p, unsigned flags) {
	IN_CONTEXT("cuMemHostGetDevicePointer_v2");
	for (allocation *a = mapped; a; a = a->next)
		if (!flags && (uint64_t)p >= a->at && (uint64_t)p - a->at < a->bytes) { *out = (uint64_t)p + MAPPED; return OK; }
	return INVALID_VALUE;
}
int cuMemFreeHost(void *p) {
	IN_CONTEXT("cuMemFreeHost");
	for (allocation **a = &mapped; *a; a = &(*a)->next)
		if ((*a)->at == (uint64_t)p) { allocation *gone = *a; *a = gone->next; free(gone); break; }
	free(p);
	return OK;
}

static int copy(const char *name, void *dst, const void *src, size_t n, stream *s, int dst_device, int src_device) {
	IN_CONTEXT(name);
	if (dst_device && !inside(dst, n)) return INVALID_VALUE;
	if (src_device && !inside(src, n)) return INVALID_VALUE;
	op *o = queue(s, 'c');
	o->dst = dst; o->src = src; o->n = n;
	return OK;
}
int cuMemcpyHtoDAsync_v2(void *d, const void *h, size_t n, stream *s) { return copy("cuMemcpyHtoDAsync_v2", d, h, n, s, 1, 0); }
int cuMemcpyDtoHAsync_v2(void *h, const void *d, size_t n, stream *s) { return copy("cuMemcpyDtoHAsync_v2", h, d, n, s, 0, 1); }
int cuMemcpyDtoDAsync_v2(void *d, const void *e, size_t n, stream *s) { return copy("cuMemcpyDtoDAsync_v2", d, e, n, s, 1, 1); }
int cuMemcpyPeerAsync(void *d, context *dc, const void *e, context *ec, size_t n, stream *s) {
	if (!dc || !ec) return INVALID_CONTEXT;
	return copy("cuMemcpyPeerAsync", d, e, n, s, 1, 1);
}
int cuMemsetD8Async(void *d, unsigned char x, size_t n, stream *s) {
	IN_CONTEXT("cuMemsetD8Async");
	if (!inside(d, n)) return INVALID_VALUE;
	op *o = queue(s, 's');
	o->dst = d; o->value = x; o->n = n;
	return OK;
}

int cuStreamCreateWithPriority(stream **out, unsigned flags, int priority) {
	IN_CONTEXT("cuStreamCreateWithPriority");
	if (flags != 1 || priority > 0 || priority < -5 || nstreams == 256) return INVALID_VALUE;
	stream *s = calloc(1, sizeof *s);
	s->device = current->device;
	streams[nstreams++] = s;
	*out = s;
	return OK;
}
int cuStreamDestroy_v2(stream *s) {
	IN_CONTEXT("cuStreamDestroy_v2");
	int r = drain(s);
	for (int i = 0; i < nstreams; i++) if (streams[i] == s) streams[i] = 0;
	while (nstreams && !streams[nstreams - 1]) nstreams--;
	free(s);
	return r;
}
int cuStreamWaitEvent(stream *s, event *e, unsigned flags) {
	(void)flags;
	IN_CONTEXT("cuStreamWaitEvent");
	if (!e->last) return OK;
	queue(s, 'w')->m = e->last;
	return OK;
}
int cuStreamSynchronize(stream *s) { IN_CONTEXT("cuStreamSynchronize"); return drain(s); }

int cuEventCreate(event **out, unsigned flags) { IN_CONTEXT("cuEventCreate"); if (flags) return INVALID_VALUE; *out = calloc(1, sizeof **out); (*out)->device = current->device; return OK; }
int cuEventDestroy_v2(event *e) { IN_CONTEXT("cuEventDestroy_v2"); free(e); return OK; }
int cuEventRecord(event *e, stream *s) {
	IN_CONTEXT("cuEventRecord");
	if (e->device != s->device) return INVALID_HANDLE;
	queue(s, 'r')->m = e->last = calloc(1, sizeof(mark)); // never freed: what waits for it may know it
	return OK;
}
int cuEventQuery(event *e) {
	IN_CONTEXT("cuEventQuery");
	if (!e->last || e->last->done) return OK;
	for (int i = 0; i < nstreams; i++)
		if (streams[i] && !blocked(streams[i])) { int r = step(streams[i]); if (r) return r; }
	return NOT_READY;
}
int cuEventElapsedTime(float *ms, event *a, event *b) {
	INIT("cuEventElapsedTime");
	if (!a->last || !b->last) return INVALID_HANDLE;
	if (!a->last->done || !b->last->done) return NOT_READY;
	*ms = (float)(b->last->ms - a->last->ms);
	return OK;
}

int cuModuleLoadDataEx(module **out, const char *image, unsigned n, const int *options, void **values) {
	IN_CONTEXT("cuModuleLoadDataEx");
	char *log = 0;
	uint64_t size = 0;
	for (unsigned i = 0; i < n; i++) {
		if (options[i] == 5) log = values[i];
		if (options[i] == 6) size = (uint64_t)values[i];
	}
	int r = compiler ? compiler(image, log, size) : OK;
	if (r) return r;
	module *m = calloc(1, sizeof *m);
	m->ptx = strdup(image);
	m->device = current->device;
	if (strstr(image, " arrayrepl_trap[12]")) {
		m->bytes = 96;
		if ((r = allocate(m->device, m->bytes, &m->globals))) return r;
		memset((void *)m->globals, 0, m->bytes);
	}
	const char *declaration = "\n.visible .const .align 16 .b8 arrayrepl_constant_";
	for (const char *p = image; (p = strstr(p, declaration)) && m->ntables < TABLES; m->ntables++) {
		table *t = &m->tables[m->ntables];
		p += strlen(declaration);
		if (sscanf(p, "%lu[%zu];", &t->offset, &t->bytes) != 2) return INVALID_PTX;
		snprintf(t->name, sizeof t->name, "arrayrepl_constant_%lu", t->offset);
		if ((r = allocate(m->device, t->bytes, &t->at))) return r;
	}
	*out = m;
	return OK;
}
int cuModuleUnload(module *m) { IN_CONTEXT("cuModuleUnload"); while (m->ntables) release(m->tables[--m->ntables].at); if (m->globals) release(m->globals); m->globals = 0; return OK; }
int cuModuleGetFunction(function **out, module *m, const char *name) {
	IN_CONTEXT("cuModuleGetFunction");
	char pattern[512] = ".entry ";
	strncat(pattern, name, 400);
	strcat(pattern, "(");
	if (!strstr(m->ptx, pattern)) return NOT_FOUND;
	*out = calloc(1, sizeof **out);
	(*out)->m = m;
	(*out)->name = strdup(name);
	return OK;
}
int cuModuleGetGlobal_v2(uint64_t *p, size_t *n, module *m, const char *name) {
	IN_CONTEXT("cuModuleGetGlobal_v2");
	for (uint64_t i = 0; i < m->ntables; i++)
		if (!strcmp(name, m->tables[i].name)) { *p = m->tables[i].at; *n = m->tables[i].bytes; return OK; }
	if (strcmp(name, "arrayrepl_trap") || !m->globals) return NOT_FOUND;
	*p = m->globals; *n = m->bytes;
	return OK;
}
int cuFuncGetAttribute(int *x, int a, function *f) { (void)f; IN_CONTEXT("cuFuncGetAttribute"); *x = a == 4 ? 16 : 0; return OK; }
int cuFuncSetAttribute(function *f, int a, int x) { IN_CONTEXT("cuFuncSetAttribute"); if (a != 8) return INVALID_VALUE; f->dynamic = x; return OK; }
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int *n, function *f, int block, size_t shared) {
	(void)f; (void)shared;
	IN_CONTEXT("cuOccupancyMaxActiveBlocksPerMultiprocessor");
	*n = block > 0 ? 2048 / ((block + 31) / 32 * 32) : 0;
	return OK;
}
int cuLaunchKernel(function *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared, stream *s, void **params, void **extra) {
	IN_CONTEXT("cuLaunchKernel");
	if (params || !extra || (size_t)extra[0] != 1 || (size_t)extra[2] != 2 || extra[4]) return INVALID_VALUE;
	if (shared > 49152 && (int)shared > f->dynamic) return INVALID_VALUE;
	if (f->m->device != s->device) return INVALID_HANDLE;
	op *o = queue(s, 'k');
	o->f = f;
	o->grid[0] = gx; o->grid[1] = gy; o->grid[2] = gz;
	o->block[0] = bx; o->block[1] = by; o->block[2] = bz;
	o->shared = shared;
	o->size = *(size_t *)extra[3];
	o->params = malloc(o->size + 1);
	memcpy(o->params, extra[1], o->size);
	return OK;
}
