package kernel

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/limpet-storage/limpet/record/sysstat"
)

// TestUpkeep says of drives what their array or pool does to itself, and what the
// kernel says of their state.
func TestUpkeep(t *testing.T) {
	root := machine(t, "server")
	k := open(t, Options{Root: root})
	set := func(file, text string) {
		t.Helper()
		file = filepath.Join(root, "sys/block", file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	known := func(name string) sysstat.Device {
		t.Helper()
		devices, err := k.devices()
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range devices {
			if d.Name == name {
				return d
			}
		}
		t.Fatalf("%s is not there", name)
		return sysstat.Device{}
	}
	upkeep := func(name, want string) {
		t.Helper()
		if got := known(name).Upkeep; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}

	set("md0/md/sync_action", "idle")
	set("md127/md/sync_action", "frozen")
	upkeep("sdc", "")
	set("md127/md/sync_action", "recover")
	upkeep("sdc", "recover")
	upkeep("sdd", "recover")
	upkeep("md127", "recover")
	upkeep("md0", "")
	upkeep("sde", "")

	k.zpool = func() string { return zpoolExample }
	upkeep("sde", "resilver")
	if got := known("sde").Pool; got != "tank" {
		t.Errorf("pool %q", got)
	}
	k.zpool = func() string { return "no pools available\n" }
	upkeep("sde", "")

	set("sda/device/state", "running")
	set("sdb/device/state", "transport-offline")
	for name, want := range map[string]string{"sda": "", "sdb": "transport-offline", "dm-0": "1 of 2 paths lost", "sde": ""} {
		if got := known(name).State; got != want {
			t.Errorf("state of %s: %q, want %q", name, got, want)
		}
	}
}

const zpoolExample = `  pool: backup
 state: ONLINE
  scan: scrub repaired 0B in 05:13:12 with 0 errors on Sun Nov  8 05:37:13 2026
config:

	NAME           STATE     READ WRITE CKSUM
	backup         ONLINE       0     0     0
	  /dev/sdx1    ONLINE       0     0     0

errors: No known data errors

  pool: tank
 state: DEGRADED
status: One or more devices is currently being resilvered.
  scan: resilver in progress since Mon Nov 16 04:00:01 2026
	1.20T scanned at 310M/s, 400G issued at 101M/s, 9.00T total
config:

	NAME             STATE     READ WRITE CKSUM
	tank             DEGRADED     0     0     0
	  raidz2-0       DEGRADED     0     0     0
	    /dev/sde1    ONLINE       0     0     0  (resilvering)
	    /dev/sdf1    ONLINE       0     0     0
`

// TestScans reads what a pool does by the names of its members.
func TestScans(t *testing.T) {
	scans := scansOf(zpoolExample)
	want := map[string]scan{"sdx1": {pool: "backup"}, "sde1": {"tank", "resilver"}, "sdf1": {"tank", "resilver"}}
	if len(scans) != len(want) {
		t.Errorf("%v", scans)
	}
	for name, s := range want {
		if scans[name] != s {
			t.Errorf("%s: %v, want %v", name, scans[name], s)
		}
	}
}
