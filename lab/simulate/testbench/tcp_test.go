package testbench

import (
	"math"
	"math/rand/v2"
	"testing"
)

const wireTick = 4e-3

// lab is some senders and one receiver on a switch.
type lab struct {
	net   network
	wire  *tcpNetwork[int]
	flows []*tcpFlow[int]
	done  int
}

func newLab(senders int, loss float64) *lab {
	return labOf(gigabit(), senders, loss)
}

func labOf(n network, senders int, loss float64) *lab {
	l := &lab{net: n}
	l.wire = newTCPNetwork(&l.net, rand.New(rand.NewPCG(1, 1)), func(int) { l.done++ })
	in := newPort(new(nic), 1, n.BufferSegments)
	for range senders {
		out := newPort(new(nic), 1, 0)
		f := newFlow[int](&l.net, &out, &in)
		f.loss = loss
		l.flows = append(l.flows, f)
	}
	return l
}

// run lets every sender send endlessly for some seconds, and returns the
// bytes a second of each.
func (l *lab) run(seconds float64) []float64 {
	for _, f := range l.flows {
		f.endless = true
		f.Wake(l.wire, 0)
	}
	for now := 0.0; now < seconds; now += wireTick {
		l.wire.Tick(now, wireTick)
	}
	rates := make([]float64, len(l.flows))
	for i, f := range l.flows {
		rates[i] = f.Bytes / seconds
	}
	return rates
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// A link carries what it can, and no more, whoever shares it; nobody starves.
func TestLinkIsShared(t *testing.T) {
	for _, n := range []int{1, 2, 5, 10, 30} {
		rates := newLab(n, 0).run(30)
		between(t, "part of the link that is used", sum(rates)/gigabit().LinkBytes, 0.85, 1.0001)
		for _, r := range rates {
			between(t, "share of one of many", r/(gigabit().LinkBytes/float64(n)), 0.2, 3)
		}
	}
}

// The window of a flow that is alone opens to what the send buffer allows;
// those of many stay within what the switch holds.
func TestWindows(t *testing.T) {
	alone := newLab(1, 0)
	alone.run(5)
	between(t, "window of one", alone.flows[0].cwnd, gigabit().MaxCwnd, gigabit().MaxCwnd)
	many := newLab(10, 0)
	many.run(20)
	total := 0.0
	for _, f := range many.flows {
		total += f.cwnd
	}
	held := many.net.pipe() + many.net.BufferSegments
	between(t, "windows of ten together", total, 0.3*held, 1.6*held)
}

// Loss costs throughput, and more of it costs more: at five percent a
// connection is left with a hundredth of the link, waiting for timeouts most
// of the time, with a window of a few segments.
func TestLossCostsThroughput(t *testing.T) {
	last := math.Inf(1)
	for _, loss := range []float64{0, 1e-4, 1e-3, 1e-2, 5e-2} {
		l := newLab(1, loss)
		rate := l.run(60)[0]
		if rate > last {
			t.Errorf("at a loss of %g: %.3g B/s, more than with less loss", loss, rate)
		}
		if loss > 0 {
			f := l.flows[0]
			between(t, "part of segments sent again", f.Retransmitted/f.Delivered, 0.7*loss, 1.5*loss+1e-3)
		}
		last = rate
	}
	between(t, "part of the link at five percent", last/gigabit().LinkBytes, 0.005, 0.2)
}

// Every message arrives, once, in spite of loss.
func TestMessagesArrive(t *testing.T) {
	for _, loss := range []float64{0, 0.05, 0.3} {
		l := newLab(3, loss)
		for _, f := range l.flows {
			for _, bytes := range []float64{1, 250, 5000, 4e6, 250} {
				f.Send(l.wire, 0, bytes, 0)
			}
		}
		for now := 0.0; now < 600 && len(l.wire.active) > 0; now += wireTick {
			l.wire.Tick(now, wireTick)
		}
		if l.done != 15 || len(l.wire.active) > 0 {
			t.Errorf("at a loss of %g: %d of 15 messages arrived", loss, l.done)
		}
	}
}

// What a sender's interface counts as sent, the receiver's counts as
// received, and acknowledgments the other way.
func TestInterfacesAgree(t *testing.T) {
	l := newLab(1, 0.01)
	l.run(10)
	from, to := l.flows[0].from.nic, l.flows[0].to.nic
	if from.TxBytes != to.RxBytes || from.TxPackets != to.RxPackets || from.RxBytes != to.TxBytes || from.RxPackets != to.TxPackets {
		t.Errorf("sender %+v, receiver %+v", *from, *to)
	}
	between(t, "acknowledgments for each packet", from.RxPackets/from.TxPackets, 0.5, 0.65)
}

// BBR's windows do not tell of loss: at three percent they are what they were,
// and throughput too, while others' close.
func TestLossLeavesBBRAlone(t *testing.T) {
	window := func(bbr bool, loss float64) (cwnd, rate float64) {
		n := gigabit()
		n.BBR, n.RACK, n.InitialCwnd = bbr, true, 10
		l := labOf(n, 1, loss)
		rate = l.run(60)[0]
		return l.flows[0].cwnd, rate
	}
	clean, fast := window(true, 0)
	lossy, slower := window(true, 0.03)
	between(t, "window of BBR at a loss of 3 % against none", lossy/clean, 0.7, 1.3)
	between(t, "throughput of BBR at a loss of 3 % against none", slower/fast, 0.3, 1.01)
	halved, slow := window(false, 0.03)
	between(t, "window of others at a loss of 3 %", halved, 1, 12)
	between(t, "throughput of others against BBR's", slow/slower, 0, 0.5)
}
