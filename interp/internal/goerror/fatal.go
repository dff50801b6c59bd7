package goerror

// Fatal is what Go makes fatal and a cell's panic is.
type Fatal string

func (e Fatal) Error() string { return "fatal error: " + string(e) }
