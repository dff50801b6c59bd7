package gpu

// KeepLaunches changes how many reports of launches from kernels a report keeps, and returns what changes it back.
func KeepLaunches(n int) (restore func()) {
	before := keptLaunches
	keptLaunches = n
	return func() { keptLaunches = before }
}

// KernelsOf counts the kernels that a report and what was launched from its kernel were compiled from.
func KernelsOf(r *Report) int {
	of := map[*Function]bool{r.function: true}
	for _, x := range r.launched {
		of[x.function] = true
	}
	return len(of)
}

// BoundRecordings changes how much memory a recording may take, and returns what changes it back.
func BoundRecordings(bytes int64) (restore func()) {
	before := recordingBytes
	recordingBytes = bytes
	return func() { recordingBytes = before }
}
