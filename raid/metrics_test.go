package raid

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/limpet-storage/limpet/raid/policy"
)

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drives := newDrives(t, testGeometry)
		drives[5] = nil
		drives[1].name = "a \"b\"\\\n\xff"
		a := openDrives(t, drives, policy.Reactive)
		defer a.Close()
		for i, d := range drives[:5] {
			d.faults = func(string) (time.Duration, error) { return time.Duration(1+9*(i%2)*i) * time.Millisecond, nil }
		}
		drives[3].faults = nil
		readAll(t, a)
		var b strings.Builder
		if err := a.WriteMetrics(&b); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			"limpet_raid_info{array=\"" + a.ID().String() + "\",policy=\"" + a.Policy().String() + "\"} 1\n",
			"# TYPE limpet_raid_bypassed_reads_total counter\n",
			"\nlimpet_raid_bypassed_reads_total{member=\"1\",name=\"a \\\"b\\\"\\\\\\n\uFFFD\"} 5\n",
			"\nlimpet_raid_bypassed_reads_total{member=\"0\",name=\"drive0\"} 0\n",
			"\nlimpet_raid_requests_total 5\n",
			"\nlimpet_raid_member_reads_total 25\n",
			"\nlimpet_raid_extra_reads_total 5\n",
			"\nlimpet_raid_member_active{member=\"P\",name=\"drive4\"} 1\n",
			"\nlimpet_raid_member_active{member=\"Q\",name=\"none\"} 0\n",
			"\nlimpet_raid_stopped 0\n",
		} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("no %q in\n%s", want, b.String())
			}
		}
	})
}
