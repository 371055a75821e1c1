package replay

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"
)

// A Drive is the name of a model of a healthy drive.
type Drive string

// The models.
const (
	Disk Drive = "disk" // 7,200 revolutions a minute
	SSD  Drive = "ssd"  // SATA
)

// model returns how long a drive without a queue takes for a read. u and v are random draws for the
// read; from is the end of the drive's last read.
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

// The disk of T16 §5 has 500 GB and 7,200 revolutions a minute. Data sheets of such disks have a
// mean seek of 8.5 ms and about 120 MB/s. For two random places, 1 ms + 14 ms·√distance has the
// mean 8.5 ms.
const (
	revolution   = 60 * time.Second / 7200
	shortestSeek = time.Millisecond
	strokeSeek   = 14 * time.Millisecond
	diskOverhead = 200 * time.Microsecond
	diskRate     = 120e6
)

type disk struct{ capacity float64 }

// service returns the time of a read. A read that begins at the end of the last read has no delay.
// Any other read waits for the arm, and for the platter, which is at a random position.
func (d disk) service(u, _ float64, from, offset, bytes int64) time.Duration {
	t := diskOverhead + transfer(bytes, diskRate)
	if from == offset {
		return t
	}
	distance := min(math.Abs(float64(offset-from))/d.capacity, 1)
	return t + shortestSeek + scaled(strokeSeek, math.Sqrt(distance)) + scaled(revolution, u)
}

// The reads of an SSD vary little. But one of a hundred reads finds its die programming, and waits
// for the rest of one millisecond.
const (
	ssdRead        = 90 * time.Microsecond
	ssdRate        = 500e6
	ssdSpread      = 0.15 // standard deviation of the logarithm
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

// normalQuantile returns the inverse of the normal distribution. It replaces u = 0 by the smallest
// possible draw.
func normalQuantile(u float64) float64 {
	return math.Sqrt2 * math.Erfinv(2*max(u, 0x1p-53)-1)
}

func transfer(bytes int64, rate float64) time.Duration {
	return time.Duration(float64(bytes) / rate * float64(time.Second))
}

func scaled(d time.Duration, by float64) time.Duration { return time.Duration(float64(d) * by) }

// draws returns the random draws for a request's read of a member. They do not depend on the
// policy.
func draws(seed uint64, member, request int) (u, v float64) {
	var pcg rand.PCG
	pcg.Seed(^seed, uint64(request)<<16^uint64(member))
	pcg.Uint64() // skip the first number, so that neighbouring seeds give different draws
	return unit(pcg.Uint64()), unit(pcg.Uint64())
}

// unit returns a number in [0, 1) from the upper 53 bits, the precision of a float64.
func unit(bits uint64) float64 { return float64(bits>>11) / (1 << 53) }
