// Package judge has what tests of sessions share, whichever engine runs them: transcripts of sessions ([Transcripts]),
// a recorder of what cells print and show ([Record]), and Go's own test programs ([Suite]). Tests alone import it.
package judge
