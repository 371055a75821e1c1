package site

import (
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
)

// lctl get_param prints name=value. A value of several lines follows its name:
//
//	osd-ldiskfs.fs-OST0000.mntdev=/dev/mapper/ost0
//	osd-ldiskfs.fs-OST0000.kbytestotal=90767651352
//	obdfilter.fs-OST0000.recovery_status=
//	status: COMPLETE
//
// obdfilter, mdt and osd-* are parameters of the target's server. osc, osp, lwp and others are
// parameters of its clients, and do not name the server.
var (
	paramLine  = lazyregexp.New(`^([a-z][\w-]*(?:\.[^=\s]+)?)=(.*)$`)
	serverSide = lazyregexp.New(`^(obdfilter|mdt|osd-[a-z]+|mdd|ofd)\.([\w-]+-(?:OST|MDT)[0-9a-f]{4})\.([\w.]+)`)
	lustreRoot = lazyregexp.New(`^(?:memused|memused_max|lnet_memused|health_check|version|(?:obdfilter|mdt|osd-[a-z]+|osc|osp|lwp|mdc|mdd|ofd|llite|ldlm|lov|lod|lmv|mgs|mgc|ost|mds|lnet|nrs|debug|nis|peers|at_\w+|timeout|qmt|jobid_\w+|fld|seq|ptlrpc|nodemap|sptlrpc)(?:\.|$))`)
)

func readParams(t *Text, inv *Inventory) {
	seen := map[string]int{} // index among the volumes, by target
	open := false
	for i, line := range t.All() {
		m := paramLine.FindStringSubmatch(line)
		if m == nil || !lustreRoot.MatchString(m[1]) {
			if open && !strings.HasPrefix(line, "[") && m == nil {
				t.Claim(i, i)
			}
			continue
		}
		open = true
		t.Claim(i, i)
		s := serverSide.FindStringSubmatch(m[1])
		if s == nil {
			continue
		}
		at, ok := seen[s[2]]
		if !ok {
			at = len(inv.Volumes)
			seen[s[2]] = at
			v, _ := lustreTarget(t.At(i), s[2])
			inv.Volumes = append(inv.Volumes, serve(v, t.Host))
		}
		setParam(&inv.Volumes[at], s[3], strings.TrimSpace(m[2]))
	}
}

func setParam(v *Volume, key, value string) {
	switch key {
	case "mntdev":
		v.Device = DeviceName(value)
	case "kbytestotal":
		v.SizeBytes = spaceBytes(value, "1K-blocks")
	}
}
