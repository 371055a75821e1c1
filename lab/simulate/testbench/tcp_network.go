package testbench

// A network has the properties of the links, of the switch and of the machines' TCP.
type network struct {
	LinkBytes      float64 // bytes of data a second
	RoundTrip      float64 // seconds of a round trip in an empty network
	BufferSegments float64 // mean number of segments that an output port of the switch holds
	InitialCwnd    float64 // segments
	MaxCwnd        float64 // segments that the send buffer of a file system's socket holds
	Loss           float64 // share of packets that are lost without a fault: receive rings overflow, cables are bent
	SpillSeconds   float64 // mean seconds between two overflows of a machine's receive ring; 0: never
	RACK           bool    // a segment that is lost again is found by time, as since Linux 4.4; otherwise by a timeout
	BBR            bool    // windows follow measured rates; otherwise a loss halves them
}

// gigabit returns F10's network: gigabit Ethernet, a switch with 256 KiB for each port, and the TCP
// of Linux 2.6.18 with send buffers of 128 KiB.
func gigabit() network {
	return network{LinkBytes: 118e6, RoundTrip: 250e-6, BufferSegments: 160, InitialCwnd: 3, MaxCwnd: 90, Loss: 1e-4}
}

// pipe returns the number of segments in flight if no segment waits.
func (n *network) pipe() float64 { return n.LinkBytes * n.RoundTrip / segment }
