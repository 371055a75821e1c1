package advice

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// A vocabulary holds the commands with which a kind of storage avoids a part. Words in capitals are
// placeholders that the reader replaces.
type vocabulary struct {
	// relieve keeps work away from a part and loses no redundancy; empty: no command does this.
	relieve func(*topology.Component) string
	// takeOut takes a part out: redundancy is lost until the part is replaced; nil: no command does
	// this to a single part.
	takeOut func(*topology.Component) string
}

func none(*topology.Component) string { return "" }

func vocabularyOf(c *topology.Component) vocabulary {
	if v, ok := vocabularies[c.Storage]; ok {
		return v
	}
	return vocabulary{none, none}
}

var vocabularies = map[string]vocabulary{
	"gpfs": {
		func(c *topology.Component) string { return "mmchdisk FS suspend -d " + quote(volume(c, "NSD")) },
		func(c *topology.Component) string { return "mmchdisk FS stop -d " + quote(volume(c, "NSD")) },
	},
	"lustre": {
		func(c *topology.Component) string {
			return "lctl set_param " + quote("osp."+volume(c, "FS-OSTxxxx")+"-osc-MDT*.max_create_count=0") // to be run on every MDS
		},
		func(c *topology.Component) string { // to be run on the MGS, which informs clients and MDS
			return "lctl conf_param " + quote(volume(c, "FS-OSTxxxx")+".osc.active=0")
		},
	},
	"ceph": {
		func(c *topology.Component) string { return "ceph osd primary-affinity " + quote(osd(c)) + " 0" },
		func(c *topology.Component) string {
			return "ceph pg stat | grep -vE 'degraded|undersized|recover|backfill' && ceph osd ok-to-stop " + quote(osd(c)) + " && ceph osd out " + quote(osd(c))
		},
	},
	"zfs": {
		func(c *topology.Component) string {
			pool, vdev, _ := strings.Cut(c.Pool, "/")
			if !strings.HasPrefix(vdev, "raidz") && !strings.HasPrefix(vdev, "draid") {
				return "" // a mirror already reads from its faster side
			}
			return on(c, "zpool set sit_out=on "+quote(pool)+" "+quote(device(c)))
		},
		func(c *topology.Component) string {
			pool, _, _ := strings.Cut(c.Pool, "/")
			return on(c, "zpool offline "+quote(or(pool, "POOL"))+" "+quote(device(c)))
		},
	},
	"md": {
		func(c *topology.Component) string {
			if r, err := topology.ParseRedundancy(c.Redundancy); err != nil || r.Spares == 0 {
				return "" // no other member has the data of a striped member
			}
			if c.Redundancy == "raid1" {
				return on(c, fmt.Sprintf("echo writemostly > /sys/block/%s/md/dev-%s/state", quote(or(c.Pool, "mdN")), quote(device(c))))
			}
			return on(c, fmt.Sprintf("mdadm %s --replace %s", array(c), quote(or(Path(c), "DEVICE"))))
		},
		func(c *topology.Component) string { // --test fails if a member is missing
			path := quote(or(Path(c), "DEVICE"))
			return on(c, fmt.Sprintf("mdadm --detail --test %s && mdadm %s --fail %s --remove %s", array(c), array(c), path, path))
		},
	},
	"multipath": {
		none,
		func(c *topology.Component) string { return on(c, "multipathd fail path "+quote(device(c))) },
	},
	"raid": {
		none,
		func(c *topology.Component) string {
			if tool := controllerOf(c); tool != nil && tool.offline != "" {
				return on(c, tool.offline)
			}
			return ""
		},
	},
	"limpet": {
		func(c *topology.Component) string {
			return on(c, "limpet raid mask --at "+quote(or(c.Pool, "SOCKET"))+" "+quote(or(c.Volume, device(c))))
		},
		nil, // no command takes a member out: it leaves when it is lost or replaced
	},
	"gluster": {
		none,
		func(c *topology.Component) string {
			return "gluster volume reset-brick VOLUME " + quote(volume(c, or(c.Server, "SERVER")+":/BRICK")) + " start"
		},
	},
	"beegfs": {
		func(c *topology.Component) string {
			return "beegfs-ctl --migrate --targetid=" + quote(volume(c, "TARGET")) + " --nomirrors /mnt/beegfs"
		},
		nil, // no command takes out a single target, only its whole server
	},
	"hdfs": {
		none,
		func(c *topology.Component) string {
			return "hdfs dfsadmin -reconfig datanode " + quote(or(c.Server, "SERVER")) + ":9867 start" // to be run after the directory was removed from dfs.datanode.data.dir
		},
	},
}

// volume returns the name of a part in the file system; if it is unknown, the placeholder.
func volume(c *topology.Component, otherwise string) string {
	if c.Volume != "" {
		return c.Volume
	}
	if c.LUN != "" && c.Device != "" && !kernelName.MatchString(c.Device) {
		return c.Device // an NSD often has the name of its multipath device
	}
	return otherwise
}

// osd returns the name of a Ceph daemon: osd.7.
func osd(c *topology.Component) string {
	name := volume(c, "osd.N")
	if !strings.HasPrefix(name, "osd.") {
		return "osd." + name
	}
	return name
}

// device returns the name of a drive in pools and arrays.
func device(c *topology.Component) string {
	return or(c.Device, strings.TrimPrefix(Path(c), "/dev/disk/by-id/"))
}

// array returns the path of the md array of a drive.
func array(c *topology.Component) string { return quote("/dev/" + or(c.Pool, "mdN")) }

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
