package prints_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/engine/look"
	"github.com/limpet-storage/limpet/ingest/prints"
)

// FuzzRead reads any text as prints and maps, and ranks what it finds. Nothing may panic, and the
// same text gives the same ranking.
func FuzzRead(f *testing.F) {
	for name, one := range newMaker(1, 2, 8).formats() {
		f.Add(one[0])
		if name != "lustre" {
			f.Add("2026-11-15T03:00:00Z\n" + one[0] + "2026-11-15T03:05:00Z\n" + one[0][len(one[0])/3:])
		}
	}
	f.Add("ID CLASS WEIGHT TYPE NAME STATUS REWEIGHT PRI-AFF\n-3 14.5 host ceph1\n0 hdd 3.6 osd.0 up 1.0 1.0\n")
	f.Add("a,1\nb,2\nc,1e308\nd,-0\ne,NaN\n")
	f.Add("{\"sysstat\": {\"hosts\": [{\"nodename\": \"a\", \"statistics\": [{\"disk\": [{\"disk_device\": \"sda\", \"r/s\": 1e308}]}]}]}}")
	f.Fuzz(func(t *testing.T, text string) {
		rank := func() (*prints.Result, *look.Ranking) {
			r, err := prints.Read(t.Context(), []string{prints.Stdin}, strings.NewReader(text))
			if err != nil {
				if !strings.Contains(err.Error(), "standard input") {
					t.Fatalf("%q does not name the file", err)
				}
				return nil, nil
			}
			return r, look.Rank(r.Looks, look.DefaultOptions())
		}
		a, first := rank()
		_, second := rank()
		if !reflect.DeepEqual(first, second) {
			t.Fatal("the same text gives two rankings")
		}
		if a == nil {
			return
		}
		for i := range first.Groups {
			for _, c := range first.Groups[i].Components {
				for _, m := range c.Measures {
					if !(m.Times >= 0) || !(m.Low <= m.Times && m.Times <= m.High) {
						t.Fatalf("%s is %g times slower, from %g to %g", c.Name, m.Times, m.Low, m.High)
					}
				}
			}
		}
	})
}
