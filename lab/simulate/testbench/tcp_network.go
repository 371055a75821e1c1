package testbench

// A network is what links, switch and the TCP of the machines are like.
type network struct {
	LinkBytes      float64 // a second, of data
	RoundTrip      float64 // seconds, of an empty network
	BufferSegments float64 // that an output port of the switch holds, on average
	InitialCwnd    float64 // segments
	MaxCwnd        float64 // that the send buffer of a file system's socket holds
	Loss           float64 // of packets, that nobody has injected: receive rings overflow, cables are bent
	SpillSeconds   float64 // between two moments in which a machine's ring spills, on average; 0: never
	RACK           bool    // a segment that is lost again is found by time, as since Linux 4.4; otherwise by a timeout
	BBR            bool    // windows go by measured rates; otherwise a loss halves them
}

// gigabit is F10's: gigabit Ethernet, a switch with 256 KiB for each port, and
// the TCP of Linux 2.6.18 with send buffers of 128 KiB.
func gigabit() network {
	return network{LinkBytes: 118e6, RoundTrip: 250e-6, BufferSegments: 160, InitialCwnd: 3, MaxCwnd: 90, Loss: 1e-4}
}

// pipe is how many segments are on the way where nothing waits.
func (n *network) pipe() float64 { return n.LinkBytes * n.RoundTrip / segment }
