//go:build !unix

package main

import "time"

var started = time.Now()

// processorTime returns the seconds since the program began: there is no better clock here.
func processorTime() float64 { return time.Since(started).Seconds() }
