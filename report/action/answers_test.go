package action

import (
	"strings"
	"testing"

	"github.com/limpet-storage/limpet/internal/checkout"
)

// Answers of tools, in the form that the tools print.
const (
	cleanPGs   = `{"pg_ready":true,"pg_summary":{"num_pg_by_state":[{"name":"active+clean","num":30},{"name":"active+clean+scrubbing+deep","num":3}],"num_pgs":33,"num_bytes":1}}`
	twoOSDs    = `{"epoch":7,"osds":[{"osd":0,"up":1,"in":1,"primary_affinity":1},{"osd":7,"up":1,"in":1,"primary_affinity":1}]}`
	soundRaidz = `  pool: tank
 state: ONLINE
  scan: scrub repaired 0B in 05:12:11 with 0 errors on Sun Feb  8 05:36:12 2026
config:

	NAME        STATE     READ WRITE CKSUM
	tank        ONLINE       0     0     0
	  raidz2-0  ONLINE       0     0     0
	    sda     ONLINE       0     0     0
	    sdb     ONLINE       0     0     0
	logs
	  nvme0n1   ONLINE       0     0     0
	spares
	  sdz       AVAIL

errors: No known data errors
`
	soundArray = `{"array":"5f","event":9,"members":[{"role":"0","state":"active","name":"/dev/sdb"},{"role":"1","state":"active","name":"/dev/sdc"},{"role":"P","state":"active","name":"/dev/sdd"},{"role":"Q","state":"active","name":"/dev/sde"}],"stripes":511,"job":{"Kind":"","Done":0,"Total":0,"Began":"0001-01-01T00:00:00Z","Ended":"0001-01-01T00:00:00Z","Found":0,"Repaired":0,"Err":""}}`
	maskOfB    = `"name":"/dev/sdb","mask":{"how":"sit-out","incident":"ec082432","since":"2026-03-01T02:30:15Z"}`
	fourPaths  = "dev:multipath:dm_st:chk_st\nsdb:mpatha:active:ready\nsdc:mpatha:active:ready\nsdd:mpatha:active:ready\nsde:mpathb:active:ready\n"
)

func replaced(text string, pairs ...string) string {
	return strings.NewReplacer(pairs...).Replace(text)
}

// Each guard with an answer that holds, and with answers that do not.
func TestGuards(t *testing.T) {
	names := Names{"osd": "osd.7", "pool": "tank", "device": "sdb", "array": "md0", "server": "box1", "socket": "/run/a.control", "member": "sdb", "incident": "ec082432"}
	for _, tt := range []struct {
		check        Check
		answer, want string // want: empty if the check holds
	}{
		{cephIsClean, cleanPGs, ""},
		{cephIsClean, `{"num_pg_by_state":[{"name":"active+clean","num":8}],"num_pgs":8}`, ""},
		{cephIsClean, replaced(cleanPGs, "active+clean+scrubbing+deep", "active+undersized+degraded"), "3 of 33 PGs have the state active+undersized+degraded"},
		{cephIsClean, replaced(cleanPGs, "active+clean+scrubbing+deep", "active+clean+remapped"), "active+clean+remapped"},
		{cephIsClean, replaced(cleanPGs, `"num_pgs":33`, `"num_pgs":34`), "the states of 33 PGs, but there are 34"},
		{cephIsClean, `{}`, "0 PGs"},
		{cephIsClean, "", "empty"},
		{cephIsClean, cleanPGs[:40], "not the expected JSON"},

		{cephHasRoom, `{"status":"HEALTH_OK","checks":{},"mutes":[]}`, ""},
		{cephHasRoom, `{"status":"HEALTH_WARN","checks":{"POOL_APP_NOT_ENABLED":{}}}`, ""},
		{cephHasRoom, `{"status":"HEALTH_WARN","checks":{"OSD_NEARFULL":{"severity":"HEALTH_WARN"}}}`, "OSD_NEARFULL"},
		{cephHasRoom, `{"checks":{}}`, "no health status"},
		{cephHasRoom, "HEALTH_OK", "not the expected JSON"},

		{arrayIsWhole, soundArray, ""},
		{arrayIsWhole, replaced(soundArray, `"Kind":""`, `"Kind":"scrub"`, `"Ended":"0001-01-01T00:00:00Z"`, `"Ended":"2026-03-01T02:30:15Z"`), ""},
		{arrayIsWhole, replaced(soundArray, `"Kind":""`, `"Kind":"rebuild"`), "a rebuild is running"},
		{arrayIsWhole, replaced(soundArray, `"role":"Q","state":"active"`, `"role":"Q","state":"rebuilding"`), `member Q is "rebuilding"`},
		{arrayIsWhole, replaced(soundArray, `"name":"/dev/sdb"`, maskOfB), "member 0 is already masked"},
		{arrayIsWhole, replaced(soundArray, `"stripes"`, `"stopped":"too many","stripes"`), "the array has stopped"},
		{arrayIsWhole, replaced(soundArray, "sdb", "sdx"), "the array has no member sdb"},
		{arrayIsWhole, replaced(soundArray, "/dev/sdc", "/mnt/sdb"), "several members of the array have the name sdb"},
		{arrayIsWhole, `{"members":[]}`, "does not show the members, or does not show whether a rebuild or scrub is running"},
		{arrayIsWhole, "", "empty"},

		{cephAllIn, twoOSDs, ""},
		{cephAllIn, replaced(twoOSDs, `"osd":0,"up":1`, `"osd":0,"up":0`), "osd.0 is down"},
		{cephAllIn, replaced(twoOSDs, `"osd":0,"up":1,"in":1`, `"osd":0,"up":1,"in":0`), "osd.0 is out"},
		{cephAllIn, replaced(twoOSDs, `"osd":7,"up":1,"in":1,"primary_affinity":1`, `"osd":7,"up":1,"in":1,"primary_affinity":0.5`), "is 0.5"},
		{cephAllIn, replaced(twoOSDs, `"osd":7`, `"osd":70`), "does not show osd.7"},
		{cephAllIn, replaced(twoOSDs, `"osd":0,"up":1,"in":1,`, `"osd":0,"up":1,`), "lacks"},
		{cephMayStop, "", ""},

		{zpoolIsSound, soundRaidz, ""},
		{zpoolIsSound, replaced(soundRaidz, "scrub repaired 0B", "scrub in progress since Sun"), "scrub in progress"},
		{zpoolIsSound, replaced(soundRaidz, "  scan:", "expand: expansion of raidz2-0 in progress since Sun\n  scan:"), "in progress"},
		{zpoolIsSound, replaced(soundRaidz, "sda     ONLINE", "sda     FAULTED"), "the state of sda is FAULTED"},
		{zpoolIsSound, replaced(soundRaidz, " state: ONLINE", " state: DEGRADED"), "the state of the pool is DEGRADED"},
		{zpoolIsSound, replaced(soundRaidz, "AVAIL", "INUSE"), "the state of spare sdz is INUSE"},
		{zpoolIsSound, replaced(soundRaidz, "pool: tank", "pool: tank2"), "does not show pool tank"},
		{zpoolIsSound, soundRaidz + soundRaidz, "several pools"},
		{zpoolIsSound, strings.TrimSuffix(soundRaidz, "errors: No known data errors\n"), "incomplete"},
		{zpoolIsSound, replaced(soundRaidz, "    sdb ", "    sdx "), "does not show device sdb"},
		{zpoolIsSound, "cannot open 'tank': no such pool\n", "does not show pool tank"},

		{mdIsWhole, "0\n", ""},
		{mdIsWhole, "1\n", `the output of the command is "1"`},
		{mdIsIdle, "idle\n", ""},
		{mdIsIdle, "resync\n", `the output of the command is "resync"`},
		{mdIsIdle, "", "the output of the command is empty"},

		{drivers[5].Guards[0], fourPaths, ""},
		{drivers[5].Guards[0], replaced(fourPaths, "sdd:mpatha:active:ready", "sdd:mpatha:active:faulty"), "multipath device mpatha has 1 other active and ready path, and at least 2 are needed"},
		{drivers[5].Guards[0], replaced(fourPaths, "sdd:mpatha:active:ready", "sdd:mpatha:failed:ready"), "multipath device mpatha has 1 other active and ready path, and at least 2 are needed"},
		{drivers[5].Guards[0], replaced(fourPaths, "sdb:mpatha", "sdb:[orphan]"), "belongs to no multipath device"},
		{drivers[5].Guards[0], "timeout\n", "does not show path sdb"},
	} {
		err := tt.check.of(names).Holds(tt.answer)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v, want %q", tt.check.Command, tt.answer, err, tt.want)
		}
	}
}

// The state of a part, for each driver: normal, masked, another state, and answers that have none.
func TestStates(t *testing.T) {
	names := Names{"osd": "osd.7", "pool": "tank", "device": "sdb", "array": "md0", "server": "box1", "socket": "/run/a.control", "member": "sdb", "incident": "ec082432"}
	seen := map[string]bool{}
	for _, tt := range []struct {
		storage string
		effect  Effect
		answer  string
		want    State
		wrong   string
	}{
		{"ceph", Relieve, twoOSDs, Normal, ""},
		{"ceph", Relieve, replaced(twoOSDs, `"osd":7,"up":1,"in":1,"primary_affinity":1`, `"osd":7,"up":1,"in":1,"primary_affinity":0`), Masked, ""},
		{"ceph", Relieve, replaced(twoOSDs, `"primary_affinity":1}]`, `"primary_affinity":0.3}]`), Other, ""},
		{"ceph", Relieve, `{"osds":[]}`, Other, "does not show osd.7"},
		{"ceph", TakeOut, twoOSDs, Normal, ""},
		{"ceph", TakeOut, replaced(twoOSDs, `"osd":7,"up":1,"in":1`, `"osd":7,"up":1,"in":0`), Masked, ""},
		{"ceph", TakeOut, "", Other, "empty"},
		{"md", Relieve, "in_sync\n", Normal, ""},
		{"md", Relieve, "in_sync,write_mostly\n", Masked, ""},
		{"md", Relieve, "faulty\n", Other, ""},
		{"md", Relieve, "\n", Other, "empty"},
		{"zfs", Relieve, "off\n", Normal, ""},
		{"zfs", Relieve, "on\n", Masked, ""},
		{"zfs", Relieve, "-\n", Other, ""},
		{"zfs", TakeOut, soundRaidz, Normal, ""},
		{"zfs", TakeOut, replaced(soundRaidz, "sdb     ONLINE ", "sdb     OFFLINE"), Masked, ""},
		{"zfs", TakeOut, replaced(soundRaidz, "sdb     ONLINE ", "sdb     UNAVAIL"), Other, ""},
		{"zfs", TakeOut, "", Other, "does not show pool"},
		{"limpet", Relieve, soundArray, Normal, ""},
		{"limpet", Relieve, replaced(soundArray, `"name":"/dev/sdb"`, maskOfB), Masked, ""},
		{"limpet", Relieve, replaced(soundArray, `"name":"/dev/sdb"`, replaced(maskOfB, "ec082432", "other")), Other, ""},
		{"limpet", Relieve, replaced(soundArray, `"name":"/dev/sdb"`, replaced(maskOfB, "sit-out", "last")), Other, ""},
		{"limpet", Relieve, replaced(soundArray, `"role":"0","state":"active"`, `"role":"0","state":"lost"`), Other, ""},
		{"limpet", Relieve, replaced(soundArray, "sdb", "sdx"), Other, "the array has no member sdb"},
		{"limpet", Relieve, "", Other, "empty"},
		{"multipath", TakeOut, fourPaths, Normal, ""},
		{"multipath", TakeOut, replaced(fourPaths, "sdb:mpatha:active", "sdb:mpatha:failed"), Masked, ""},
		{"multipath", TakeOut, replaced(fourPaths, "sdb:mpatha:active", "sdb:mpatha:undef"), Other, ""},
		{"multipath", TakeOut, "", Other, "does not show path"},
	} {
		d := Lookup(tt.storage, tt.effect)
		if d == nil {
			t.Fatalf("no driver for %s, %s", tt.storage, tt.effect)
		}
		seen[tt.storage+string(tt.effect)+string(tt.want)] = true
		got, err := d.Steps(names).State.Read(tt.answer)
		if got != tt.want || (err == nil) != (tt.wrong == "") || err != nil && !strings.Contains(err.Error(), tt.wrong) {
			t.Errorf("%s, %s, %q: %s, %v; want %s, %q", tt.storage, tt.effect, tt.answer, got, err, tt.want, tt.wrong)
		}
	}
	for _, d := range Drivers() {
		for _, s := range []State{Normal, Masked, Other} {
			if !seen[d.Storage+string(d.Effect)+string(s)] {
				t.Errorf("no answer of %s, %s has the state %s", d.Storage, d.Effect, s)
			}
		}
	}
}

// Storage and effect identify a driver: an action that is under way is found by them after a restart.
func TestDriversAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, d := range Drivers() {
		key := d.Storage + "\x00" + string(d.Effect)
		if seen[key] {
			t.Errorf("two drivers for %s, %s", d.Storage, d.Effect)
		}
		seen[key] = true
		for _, g := range d.Guards {
			if g.holds == nil {
				t.Errorf("%s, %s: no code reads the answer of %s", d.Storage, d.Effect, g.Command)
			}
		}
		if d.State.read == nil || d.State.Command.String() == "" || d.State.Masked == "" || d.State.Normal == "" {
			t.Errorf("%s, %s: the query of the state is incomplete", d.Storage, d.Effect)
		}
	}
}

// No answer makes a reader panic, and an answer without a state is an error.
func FuzzAnswers(f *testing.F) {
	for _, text := range []string{cleanPGs, twoOSDs, soundRaidz, fourPaths, soundArray, replaced(soundArray, `"name":"/dev/sdb"`, maskOfB), "in_sync", "0"} {
		f.Add(text)
	}
	for _, name := range []string{"degraded", "draid"} {
		f.Add(checkout.Read(f, "topology/site/testdata/zfs/"+name+".txt"))
	}
	f.Fuzz(func(t *testing.T, answer string) {
		names := Names{"osd": "osd.7", "pool": "tank", "device": "sdb", "member": "sdb", "incident": "ec082432"}
		for _, d := range Drivers() {
			for _, g := range d.Guards {
				_ = g.of(names).Holds(answer)
			}
			if s, err := d.State.of(names).Read(answer); err != nil && s != Other {
				t.Errorf("%s, %s: %q is %s with the error %v", d.Storage, d.Effect, answer, s, err)
			}
		}
	})
}
