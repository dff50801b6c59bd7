package cudabackend

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// function is one of the driver's.
type function int

// The driver's functions, under the names of the ABI that takes 64-bit addresses.
const (
	fnInit function = iota
	fnDriverGetVersion
	fnGetErrorName
	fnGetErrorString
	fnDeviceGetCount
	fnDeviceGet
	fnDeviceGetName
	fnDeviceTotalMem
	fnDeviceGetAttribute
	fnDeviceCanAccessPeer
	fnPrimaryCtxRetain
	fnPrimaryCtxRelease
	fnCtxSetCurrent
	fnCtxEnablePeerAccess
	fnCtxGetStreamPriorityRange
	fnMemGetInfo
	fnMemAlloc
	fnMemFree
	fnMemAllocAsync
	fnMemFreeAsync
	fnDeviceGetDefaultMemPool
	fnMemPoolSetAttribute
	fnMemHostAlloc
	fnMemFreeHost
	fnMemHostGetDevicePointer
	fnMemHostRegister
	fnMemcpyHtoDAsync
	fnMemcpyDtoHAsync
	fnMemcpyDtoDAsync
	fnMemcpyPeerAsync
	fnMemsetD8Async
	fnStreamCreate
	fnStreamDestroy
	fnStreamWaitEvent
	fnStreamSynchronize
	fnEventCreate
	fnEventDestroy
	fnEventRecord
	fnEventQuery
	fnEventElapsedTime
	fnModuleLoadDataEx
	fnModuleUnload
	fnModuleGetFunction
	fnModuleGetGlobal
	fnFuncGetAttribute
	fnFuncSetAttribute
	fnOccupancy
	fnLaunchKernel
	numFunctions
)

var functionNames = [numFunctions]string{
	"cuInit", "cuDriverGetVersion", "cuGetErrorName", "cuGetErrorString",
	"cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceTotalMem_v2", "cuDeviceGetAttribute", "cuDeviceCanAccessPeer",
	"cuDevicePrimaryCtxRetain", "cuDevicePrimaryCtxRelease_v2", "cuCtxSetCurrent", "cuCtxEnablePeerAccess", "cuCtxGetStreamPriorityRange",
	"cuMemGetInfo_v2", "cuMemAlloc_v2", "cuMemFree_v2", "cuMemAllocAsync", "cuMemFreeAsync",
	"cuDeviceGetDefaultMemPool", "cuMemPoolSetAttribute", "cuMemHostAlloc", "cuMemFreeHost", "cuMemHostGetDevicePointer_v2", "cuMemHostRegister_v2",
	"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemcpyPeerAsync", "cuMemsetD8Async",
	"cuStreamCreateWithPriority", "cuStreamDestroy_v2", "cuStreamWaitEvent", "cuStreamSynchronize",
	"cuEventCreate", "cuEventDestroy_v2", "cuEventRecord", "cuEventQuery", "cuEventElapsedTime",
	"cuModuleLoadDataEx", "cuModuleUnload", "cuModuleGetFunction", "cuModuleGetGlobal_v2",
	"cuFuncGetAttribute", "cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuLaunchKernel",
}

// optional are functions that older drivers lack.
var optional = map[function]bool{
	fnMemAllocAsync: true, fnMemFreeAsync: true, fnDeviceGetDefaultMemPool: true, fnMemPoolSetAttribute: true,
	fnMemHostRegister: true,
}

// driver is NVIDIA's, opened and initialised.
type driver struct {
	path    string
	version int // 12040 is CUDA 12.4
	address [numFunctions]uintptr
}

// open opens the driver once. Its error says what is missing.
var open = sync.OnceValues(func() (*driver, error) {
	d := &driver{}
	var err error
	if d.path, err = d.load(); err != nil {
		return nil, err
	}
	if err := d.must(fnInit, 0); err != nil {
		return nil, err
	}
	var version int32
	if err := d.must(fnDriverGetVersion, uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, err
	}
	d.version = int(version)
	return d, nil
})

// bind finds all functions with find, which returns 0 for a name that the library lacks.
func (d *driver) bind(path string, find func(name string) uintptr) error {
	for f, name := range functionNames {
		d.address[f] = find(name)
		if d.address[f] == 0 && !optional[function(f)] {
			return fmt.Errorf("%s has no function %s: the NVIDIA driver is older than CUDA 11; update it", path, name)
		}
	}
	return nil
}

func (d *driver) has(f function) bool { return d.address[f] != 0 }

// must is call with an error in place of a result that is not 0.
//
//go:uintptrescapes
func (d *driver) must(f function, args ...uintptr) error {
	if r := d.call(f, args...); r != 0 {
		return d.fail(f, r)
	}
	return nil
}

// within calls do in a thread whose context is ctx.
func (d *driver) within(ctx uintptr, do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := d.must(fnCtxSetCurrent, ctx); err != nil {
		return err
	}
	return do()
}
