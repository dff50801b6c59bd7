//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime returns the time since the program began: there is no better clock here.
func processorTime() time.Duration { return time.Since(started) }
