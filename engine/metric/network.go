package metric

import "math"

// NIC holds the cumulative counters of a network interface, as in /proc/net/dev and in
// activity files, and the speed of its link.
type NIC struct {
	RxPackets, TxPackets uint64
	RxBytes, TxBytes     uint64
	Speed                uint64 // B/s; 0 if unknown
	Narrow               bool   // the C type long has 32 bits on the recorded machine, so the counters have 32 bits
}

// NICWork is the traffic of an interface between two readings of its counters.
type NICWork struct {
	RxPackets, TxPackets uint64
	RxBytes, TxBytes     uint64
	Speed                uint64 // B/s at the second reading; 0 if unknown
}

// Since returns the traffic since an earlier reading. It returns false if a counter decreased
// without a wrap.
func (n *NIC) Since(before *NIC) (NICWork, bool) {
	s := span{narrow: n.Narrow}
	w := NICWork{
		RxPackets: s.count(n.RxPackets, before.RxPackets),
		TxPackets: s.count(n.TxPackets, before.TxPackets),
		RxBytes:   s.count(n.RxBytes, before.RxBytes),
		TxBytes:   s.count(n.TxBytes, before.TxBytes),
		Speed:     n.Speed,
	}
	return w, !s.reset
}

// Values returns all metrics of [Interface], in the same order. The counters were read dt seconds
// apart. An unknown speed is NaN.
func (w *NICWork) Values(dt float64) [5]float64 {
	speed := math.NaN()
	if w.Speed > 0 {
		speed = float64(w.Speed)
	}
	return [5]float64{
		float64(w.RxPackets) / dt, float64(w.TxPackets) / dt,
		float64(w.RxBytes) / dt, float64(w.TxBytes) / dt, speed,
	}
}
