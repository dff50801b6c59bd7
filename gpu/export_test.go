package gpu

// KeepLaunches changes how many reports of launches from kernels a report keeps, and returns what changes it back.
func KeepLaunches(n int) (restore func()) {
	before := keptLaunches
	keptLaunches = n
	return func() { keptLaunches = before }
}
