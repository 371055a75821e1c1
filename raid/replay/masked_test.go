package replay

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

// always is a member that takes ten times as long but for the last minute of each hour.
func always(member int) Distribution {
	d := defaultDistribution(KindPeriodic)
	d.Periodic = Periodic{Member: member, Slow: 10, Min: 59 * time.Minute, Max: 59 * time.Minute, From: time.Hour, To: time.Hour, Share: 59.0 / 60}
	return d
}

// stripesAt are reads of whole stripes at random places, so many a second on average.
func stripesAt(n int, perSecond float64) (records []Record) {
	rng := rand.New(rand.NewPCG(37, 1))
	at := 0.0
	const width = 8 * chunk
	for range n {
		at += rng.ExpFloat64() / perSecond
		records = append(records, Record{At: time.Duration(at * float64(time.Second)), Offset: rng.Int64N(1<<22) * width, Length: width * (1 + rng.Int64N(16))})
	}
	return records
}

// TestMaskedGoal: with the slow member told, reads of whole stripes take at most 1.05 times as long
// as without slow drives, at p99 and p99.9, for at most 2 % extra reads, under the policies that
// wait for every answer or for late ones; and without being told they take longer. Time is
// simulated, so that nothing depends on the machine.
func TestMaskedGoal(t *testing.T) {
	for _, drive := range []Drive{Disk, SSD} {
		n, rate := 20_000, 4.0 // the slow disk keeps up
		if testing.Short() {
			n = 8000
		}
		if drive == SSD {
			rate = 500
		}
		o := Default()
		o.Drive, o.Distribution = drive, always(3)
		o.Policies = []policy.Options{policy.Default(policy.Normal), policy.Default(policy.Adaptive), policy.Default(policy.Sitout), policy.Default(policy.Hedge)}
		records := stripesAt(n, rate)
		for _, masks := range []map[int]policy.Mask{nil, {3: policy.MaskSitOut}, {3: policy.MaskLast}} {
			o.Masks = masks
			res, err := Virtual(t.Context(), "stripes", records, o, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range res.Runs {
				p99, p999, extra := r.Against(res.FaultFree, 0.99), r.Against(res.FaultFree, 0.999), r.Extra()
				t.Logf("%s, %s, told %v: p99 %.3f, p99.9 %.3f of fault-free, %.2f %% extra reads", drive, r.Policy.Kind, masks[3], p99, p999, 100*extra)
				switch {
				case masks == nil && r.Policy.Kind == policy.Normal:
					if p99 < 2 || p999 < 2 {
						t.Errorf("%s: the slow member is not felt: p99 %.3f, p99.9 %.3f", drive, p99, p999)
					}
				case masks != nil && r.Policy.Kind != policy.Hedge:
					if p99 > 1.05 || p999 > 1.05 || extra > 0.02 {
						t.Errorf("%s, %s, told %s: p99 %.3f, p99.9 %.3f, %.2f %% extra reads", drive, r.Policy.Kind, masks[3], p99, p999, 100*extra)
					}
				}
			}
		}
	}
}
