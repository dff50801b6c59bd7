package golabel

import (
	"bytes"
	"context"
	"runtime"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// on returns what f returns on a goroutine of its own.
func on[T any](f func() T) T {
	out := make(chan T)
	go func() { out <- f() }()
	return <-out
}

func TestMarksAreInherited(t *testing.T) {
	before := Current()
	assert.False(t, Within())
	ended := make(chan struct{})
	late := make(chan bool)
	During(func() {
		assert.True(t, Within())
		assert.True(t, on(Within), "a goroutine")
		assert.True(t, on(func() bool { return on(Within) }), "a goroutine of a goroutine")
		Set(Inherit(Current(), New("of", "another"))) // as a session does for a go statement
		assert.True(t, on(Within), "labels that were made for the goroutine")
		go func() {
			<-ended
			late <- Within()
		}()
		pprof.Do(context.Background(), pprof.Labels("a", "b"), func(context.Context) {
			assert.True(t, Within(), "a function that has set labels of its own")
		})
	})
	assert.Equal(t, before, Current())
	assert.False(t, Within(), "after it")
	close(ended)
	assert.False(t, <-late, "a goroutine that goes on after it")
}

// TestBesideIsNotWithin: who only runs at the same time is to wait.
func TestBesideIsNotWithin(t *testing.T) {
	Set(New("cell", "1"))
	defer Set(nil)
	ask, answer := make(chan struct{}), make(chan bool)
	go func() {
		<-ask
		answer <- Within()
	}()
	During(func() {
		close(ask)
		assert.False(t, <-answer)
	})
}

func TestMarkedLabelsAreTheSameToTheProfiler(t *testing.T) {
	labels := New("cell", "1", "user", "two words")
	Set(labels)
	defer Set(nil)
	During(func() {
		assert.NotEqual(t, labels, Current())
		assert.Equal(t, labels, Origin(Current()))
		var profile bytes.Buffer
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(&profile, 1))
		assert.Contains(t, profile.String(), `# labels: {"cell":"1", "user":"two words"}`)
	})
}

// TestMarksAreForgotten: a goroutine that begins one evaluation after the other keeps none of them.
func TestMarksAreForgotten(t *testing.T) {
	var deep func(n int)
	deep = func(n int) { // each goroutine begins where the mark of the one before has ended
		if n > 0 {
			var wg sync.WaitGroup
			ended := make(chan struct{})
			During(func() { wg.Go(func() { <-ended; deep(n - 1) }) })
			close(ended)
			wg.Wait()
		} else {
			assert.LessOrEqual(t, chain(), 1)
		}
	}
	deep(100)
	count := func() (n int) {
		marks.Range(func(any, any) bool { n++; return true })
		return n
	}
	require.Eventually(t, func() bool { runtime.GC(); return count() == 0 }, 10*time.Second, time.Millisecond)
}

// chain is how many marks the caller's labels carry.
func chain() (n int) {
	for m := markOf(Current()); m != nil; m = markOf(m.of) {
		n++
	}
	return n
}

func TestCopiesOfNothing(t *testing.T) {
	Set(nil)
	During(func() { assert.True(t, on(Within)) })
	assert.True(t, strings.HasSuffix(labelMap.String(), "pprof.labelMap"), "%v", labelMap)
}
