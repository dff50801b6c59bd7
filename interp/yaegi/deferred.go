package yaegi

import (
	"sync"

	"github.com/visualfc/gid"
)

// calls are the deferred calls of one call of a function, and the panic that ends it.
type calls struct {
	list      []deferred
	panicking bool
	value     any
}

// deferred is a deferred call. An armed one may recover: the function is not known, or calls recover itself.
type deferred struct {
	f     func()
	armed bool
}

// around calls the body of a function and then its deferred calls, the last one first, and goes on with a panic that
// none of them has recovered.
func (c *calls) around(body func()) {
	done := false
	defer func() {
		if !done {
			if r := recover(); r != nil {
				c.panicking, c.value = true, r
			} // else runtime.Goexit
		}
		c.run()
		if c.panicking {
			panic(c.value)
		}
	}()
	body()
	done = true
}

func (c *calls) run() {
	for len(c.list) > 0 {
		d := c.list[len(c.list)-1]
		c.list = c.list[:len(c.list)-1]
		c.call(d)
	}
}

// call runs one. A panic of it takes the place of the one before; runtime.Goexit runs the rest and goes on.
func (c *calls) call(d deferred) {
	leave := enterDeferred(c, d.armed)
	done := false
	defer func() {
		leave()
		if done {
			return
		}
		if r := recover(); r != nil {
			c.panicking, c.value = true, r
			return
		}
		c.run()
	}()
	d.f()
	done = true
}

// deferring holds, by goroutine, the deferred call that has begun and in which no function has asked for its caller
// yet.
var deferring sync.Map // uint64 → *calls

// enterDeferred notes that a deferred call begins on this goroutine; the function that it returns ends it.
func enterDeferred(c *calls, armed bool) (leave func()) {
	id := gid.Get()
	before, had := deferring.Load(id)
	if armed {
		deferring.Store(id, c)
	} else {
		deferring.Delete(id)
	}
	return func() {
		if had {
			deferring.Store(id, before)
		} else {
			deferring.Delete(id)
		}
	}
}

// caller returns the calls that the function which asks was deferred by: only the first function to be entered gets it,
// so that recover works in deferred functions and not in those that they call.
func caller() *calls {
	if c, ok := deferring.LoadAndDelete(gid.Get()); ok {
		return c.(*calls)
	}
	return nil
}

// recovered is what the cell's recover returns.
func recovered(c *calls) any {
	if c == nil || !c.panicking {
		return nil
	}
	c.panicking = false
	return bare(mended(c.value))
}
