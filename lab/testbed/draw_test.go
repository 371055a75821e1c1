package testbed

import (
	"reflect"
	"slices"
	"testing"
	"time"
)

// TestDrawIsRepeatable: a run is the same whenever it is drawn, and another seed
// draws others.
func TestDrawIsRepeatable(t *testing.T) {
	same := 0
	for i := range 100 {
		a, b, other := GlusterFS.Draw(7, i), GlusterFS.Draw(7, i), GlusterFS.Draw(8, i)
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("run %d is %+v, then %+v", i, a, b)
		}
		if a.Fault == other.Fault && a.Workload == other.Workload && a.Server == other.Server {
			same++
		}
	}
	if same > 30 {
		t.Errorf("%d of 100 runs are alike in two seeds", same)
	}
}

// TestDrawIsSpread: sixty runs of any seed have at least fifteen control runs
// and every fault, and all servers, workloads and volumes are met.
func TestDrawIsSpread(t *testing.T) {
	for seed := range uint64(20) {
		faults, met := map[Fault]int{}, map[any]bool{}
		for i := range 60 {
			r := GlusterFS.Draw(seed, i)
			faults[r.Fault]++
			for _, what := range []any{r.Server, r.Workload, r.Volume, r.Congestion, r.LinkSpeedKnown} {
				met[what] = true
			}
		}
		if faults[None] < 15 {
			t.Errorf("seed %d: %d control runs", seed, faults[None])
		}
		for _, f := range GlusterFS.Faults() {
			if least := 2; faults[f] < least {
				t.Errorf("seed %d: %s is drawn %d times", seed, f, faults[f])
			}
		}
		if want := Servers + 1 + len(GlusterFS.Workloads()) + 2 + 2 + 2; len(met) != want {
			t.Errorf("seed %d meets %d of %d servers, workloads, volumes, ways of TCP and of links: %v", seed, len(met), want, met)
		}
	}
}

// TestDrawFits: what is drawn can be seen on this bench.
func TestDrawFits(t *testing.T) {
	for i := range 3000 {
		r := GlusterFS.Draw(3, i)
		f := r.Fault.known()
		if (r.Fault == None) != (r.Server == 0) || r.Server < 0 || r.Server > Servers {
			t.Fatalf("%s hits server %d", r.Fault, r.Server)
		}
		if r.Fault != None && (r.Strength < f.least || r.Strength > f.most || f.whole && r.Strength != float64(int(r.Strength))) {
			t.Errorf("%s has strength %v of %v to %v", r.Fault, r.Strength, f.least, f.most)
		}
		if f.needsRead && !r.Workload.Reads() || f.needsWrite && !r.Workload.Writes() {
			t.Errorf("%s under %s touches nobody", r.Fault, r.Workload)
		}
		if r.Fault == SelfHeal && r.Volume != Dispersed {
			t.Errorf("%s has nothing to mend from", r.Volume)
		}
		if mb := float64(r.LinkMbit) / 8; mb < 1.2*float64(r.DiskBytes)/1e6 {
			t.Errorf("links of %v MB/s are slower than disks of %d bytes/s", mb, r.DiskBytes)
		}
		if r.Before < 45*time.Second || r.Duration() > 5*time.Minute {
			t.Errorf("recorded for %v, %v before the fault", r.Duration(), r.Before)
		}
	}
}

// TestNoisyClientDraw: a run with a noisy client has eight clients of a workload that leaves the disks
// some of their time, and hits no server. No block of runs has one, so that all other runs stay as they
// are.
func TestNoisyClientDraw(t *testing.T) {
	met := map[int]bool{}
	for i := range 200 {
		r := GlusterFS.DrawOf(5, i, []Fault{NoisyClient})
		met[r.Client] = true
		if r.Server != 0 || r.ServerName() != "" || r.Clients() != ManyClients || r.Client < 1 || r.Client > ManyClients || r.Workload != Paced || r.Strength < 4 || r.Strength > 6 {
			t.Fatalf("%+v", r)
		}
	}
	for i, f := range []Fault{NoisyClient, None, BusyHour} { // the control runs have the same clients
		r := GlusterFS.DrawOf(5, i, []Fault{NoisyClient, None, BusyHour})
		if r.Fault != f || r.Clients() != ManyClients || r.Workload != Paced || r.Server != 0 || (r.Client != 0) != (f == NoisyClient) {
			t.Errorf("%+v", r)
		}
	}
	if r := GlusterFS.DrawOf(5, 0, []Fault{None}); r.Clients() != Clients {
		t.Errorf("%+v", r)
	}
	if len(met) != ManyClients || slices.Contains(GlusterFS.Faults(), NoisyClient) {
		t.Errorf("clients %v, faults %v", met, GlusterFS.Faults())
	}
	if r := GlusterFS.Draw(5, 0); r.Clients() != Clients || r.ClientName() != "" {
		t.Errorf("%+v", r)
	}
}

// TestCephDraw: sixty runs of Ceph have at least sixteen controls, scrubs, recovery and backfill among
// them, and every fault; what is drawn can be built and seen.
func TestCephDraw(t *testing.T) {
	for seed := range uint64(20) {
		faults, met, controls := map[Fault]int{}, map[any]bool{}, 0
		for i := range 60 {
			r := Ceph.Draw(seed, i)
			c := &r.Ceph
			faults[r.Fault]++
			if r.Fault.Harmless() {
				controls++
			}
			for _, what := range []any{r.Workload, r.Volume, c.OSDsPerHost, c.DB} {
				met[what] = true
			}
			if (r.Fault == None) != (r.Server == 0) || r.Server > c.Hosts() || r.Server > 0 && c.Host(c.OSD) != r.Server {
				t.Errorf("%s: OSD %d of server %d of %d", r.Name, c.OSD, r.Server, c.Hosts())
			}
			if c.DB && c.OSDsPerHost < 2 || r.Fault == DBSlow && !c.DB || r.Fault == HostSlow && len(r.Disks()) != 2 {
				t.Errorf("%s: %s hits %v with %+v", r.Name, r.Fault, r.Disks(), *c)
			}
			if stripe := 16; r.Volume == Dispersed && (c.ObjectKB%stripe != 0 || c.OtherKB%stripe != 0) {
				t.Errorf("%s: objects of %d and %d kB in stripes of %d", r.Name, c.ObjectKB, c.OtherKB, stripe)
			}
		}
		if controls < 16 {
			t.Errorf("seed %d: %d controls", seed, controls)
		}
		for _, f := range Ceph.Faults() {
			if faults[f] < 2 {
				t.Errorf("seed %d: %s is drawn %d times", seed, f, faults[f])
			}
		}
		if want := len(Ceph.Workloads()) + 2 + 2 + 2; len(met) != want {
			t.Errorf("seed %d meets %d of %d workloads, pools and layouts: %v", seed, len(met), want, met)
		}
	}
}
