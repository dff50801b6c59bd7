package dp

// KeptReports is how many reports are kept.
func KeptReports() (n int) {
	reports.Range(func(_, _ any) bool { n++; return true })
	return n
}
