package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// A Drive is the name of a model of a drive that is well.
type Drive string

// The models.
const (
	Disk Drive = "disk" // 7,200 a minute
	SSD  Drive = "ssd"  // SATA
)

// model says how long a drive takes for a read that has the drive for itself.
// u and v are draws that belong to the read; from is where the drive's last
// read ended.
type model interface {
	service(u, v float64, from, offset, bytes int64) time.Duration
}

func (d Drive) model(capacity int64) (model, error) {
	switch d {
	case Disk:
		return disk{capacity: float64(max(capacity, 1))}, nil
	case SSD:
		return ssd{}, nil
	}
	return nil, fmt.Errorf("the kind of drive %q is unknown: write %s or %s", d, Disk, SSD)
}

// The disk of T16 §5 is one of 500 GB at 7,200 a minute; its data sheets have
// 8.5 ms for a seek on average, which the square root of a random distance
// times 14 ms on top of 1 ms comes to, and some 120 MB/s.
const (
	revolution   = 60 * time.Second / 7200
	shortestSeek = time.Millisecond
	strokeSeek   = 14 * time.Millisecond
	diskOverhead = 200 * time.Microsecond
	diskRate     = 120e6
)

type disk struct{ capacity float64 }

// service goes on without delay where the last read ended; any other read
// waits for the arm and for the platter, which stands anywhere.
func (d disk) service(u, _ float64, from, offset, bytes int64) time.Duration {
	t := diskOverhead + transfer(bytes, diskRate)
	if from == offset {
		return t
	}
	distance := min(math.Abs(float64(offset-from))/d.capacity, 1)
	return t + shortestSeek + scaled(strokeSeek, math.Sqrt(distance)) + scaled(revolution, u)
}

// An SSD's reads vary little, unless they find their die programming: one of
// a hundred does, and waits for what is left of a millisecond.
const (
	ssdRead        = 90 * time.Microsecond
	ssdRate        = 500e6
	ssdSpread      = 0.15 // of the logarithm
	ssdProgramming = 0.01
	ssdProgram     = time.Millisecond
)

type ssd struct{}

func (ssd) service(u, v float64, _, _, bytes int64) time.Duration {
	t := scaled(ssdRead, math.Exp(ssdSpread*normalQuantile(u))) + transfer(bytes, ssdRate)
	if v < ssdProgramming {
		t += scaled(ssdProgram, v/ssdProgramming)
	}
	return t
}

// normalQuantile is the inverse of the normal distribution; u of 0 is taken
// for the least draw there is.
func normalQuantile(u float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*max(u, 0x1p-53)-1)
}

func transfer(bytes int64, rate float64) time.Duration {
	return time.Duration(float64(bytes) / rate * float64(time.Second))
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// draws belong to a request's read of a member, whatever the policy.
func draws(seed uint64, member, request int) (u, v float64) {
	var pcg rand.PCG
	pcg.Seed(^seed, uint64(request)<<16^uint64(member))
	pcg.Uint64() // seeds that are near each other part
	return unit(pcg.Uint64()), unit(pcg.Uint64())
}

// unit makes a number in [0, 1) of the upper 53 bits, as many as it can hold.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
