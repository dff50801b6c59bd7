package kernel

import "testing"

// TestCommsBesideCells asks a kernel that answers comm messages beside cells while a cell runs, and one that does not.
func TestCommsBesideCells(t *testing.T) {
	open := func(c *testClient, id string) string {
		return c.send(c.shell, "comm_open", object{"comm_id": id, "target_name": "t", "data": object{}})
	}
	t.Run("beside", func(t *testing.T) {
		t.Setenv("ARRAYREPL_FAKE_COMMS", "beside")
		c := startKernel(t)
		cell := c.send(c.shell, "execute_request", object{"code": "for { }"})
		for m := c.recv(c.iopub); m.Parent != cell || m.Type != "execute_input"; m = c.recv(c.iopub) {
		}
		for _, id := range []string{"1", "2", "3"} {
			if out := c.outputs(open(c, id)); types(out) != "busy comm_close idle" {
				t.Errorf("%+v", out)
			}
			if m := c.recv(c.iopub); m.Parent != cell || m.str("execution_state") != "busy" {
				t.Errorf("the cell still runs, and clients are told %+v", m)
			}
		}
		c.send(c.control, "interrupt_request", object{})
		if m := c.recv(c.shell); m.str("ename") != "Interrupted" {
			t.Error(m)
		}
		for m := c.recv(c.iopub); m.str("execution_state") != "idle" || m.Parent != cell; m = c.recv(c.iopub) {
		}
		if out := c.outputs(open(c, "4")); types(out) != "busy comm_close idle" {
			t.Errorf("%+v", out)
		}
	})
	t.Run("between", func(t *testing.T) {
		c := startKernel(t)
		cell := c.send(c.shell, "execute_request", object{"code": "time.Sleep(100 * time.Millisecond)"})
		id := open(c, "1")
		for m := c.recv(c.iopub); m.Parent != cell || m.str("execution_state") != "idle"; m = c.recv(c.iopub) {
			if m.Parent == id {
				t.Errorf("the cell runs, and the comm gets %+v", m)
			}
		}
		if out := c.outputs(id); types(out) != "busy comm_close idle" {
			t.Errorf("%+v", out)
		}
	})
}
