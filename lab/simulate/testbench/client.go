package testbench

// A client runs one program.
type client struct {
	*host
	index   int
	sim     *sim
	speed   float64 // speed of its processor, relative to the mean
	program program
	free    []*op
	startAt float64
}

// A program issues operations and waits for them.
type program interface {
	// step continues the program at a tick, until it has to wait.
	step(*client)
	// answered takes an operation that is done.
	answered(*client, *op)
	// done reports whether the program has ended.
	done() bool
}

// issue sends an operation to a server.
func (c *client) issue(server int, o op) {
	p := &op{}
	if n := len(c.free); n > 0 {
		p, c.free = c.free[n-1], c.free[:n-1]
	}
	*p = o
	p.client, p.server = c, c.sim.servers[server]
	p.server.up[c.index].send(c.sim.up, p, p.request, c.sim.now)
}

func (c *client) answered(o *op) {
	c.program.answered(c, o)
	c.free = append(c.free, o)
}

// copyBytes is the number of bytes that a processor moves between a program and the kernel in a
// second. PVFS has a daemon between the two, which copies the data once more and wakes up for every
// piece.
const (
	copyBytes   = 900e6
	daemonBytes = 130e6
	daemonTime  = 0.15 // seconds for a request of any size
)

// compute returns the time that a client of PVFS takes for the given bytes.
func (c *client) compute(bytes float64) float64 {
	return (daemonTime + bytes/daemonBytes) / c.speed * (0.9 + 0.2*c.rng.Float64())
}

// objectAt returns the position of a client's part of a file on a server's disk. Allocators scatter
// the parts over the first third of the disk.
func (c *client) objectAt(server int) float64 { return c.sim.objects[server][c.index] }
