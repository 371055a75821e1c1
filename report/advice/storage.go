package advice

import (
	"fmt"
	"strings"

	"github.com/limpet-storage/limpet/topology"
)

// A vocabulary is how a kind of storage is told to keep off a part. What stands in
// capitals is for the reader to fill in.
type vocabulary struct {
	// relieve keeps work away and loses nothing; empty where there is no such thing.
	relieve func(*topology.Component) string
	// takeOut takes the part out: redundancy is lost until it is replaced; nil where
	// no command does that to a part alone.
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
			return "lctl set_param " + quote("osp."+volume(c, "FS-OSTxxxx")+"-osc-MDT*.max_create_count=0") // on every MDS
		},
		func(c *topology.Component) string { // on the MGS, which tells clients and MDS
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
				return "" // mirrors read from whoever is faster already
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
				return "" // striped members have no stand-in
			}
			if c.Redundancy == "raid1" {
				return on(c, fmt.Sprintf("echo writemostly > /sys/block/%s/md/dev-%s/state", quote(or(c.Pool, "mdN")), quote(device(c))))
			}
			return on(c, fmt.Sprintf("mdadm %s --replace %s", array(c), quote(or(Path(c), "DEVICE"))))
		},
		func(c *topology.Component) string { // --test fails where a member is missing
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
		nil, // a member leaves when it is lost or replaced
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
		nil, // a target leaves with its whole server
	},
	"hdfs": {
		none,
		func(c *topology.Component) string {
			return "hdfs dfsadmin -reconfig datanode " + quote(or(c.Server, "SERVER")) + ":9867 start" // after taking it out of dfs.datanode.data.dir
		},
	},
}

// volume is what the file system calls a part; a word to fill in where that is not
// known.
func volume(c *topology.Component, otherwise string) string {
	if c.Volume != "" {
		return c.Volume
	}
	if c.LUN != "" && c.Device != "" && !kernelName.MatchString(c.Device) {
		return c.Device // NSDs are often called like the map of multipath
	}
	return otherwise
}

// osd is the name of a daemon: osd.7.
func osd(c *topology.Component) string {
	name := volume(c, "osd.N")
	if !strings.HasPrefix(name, "osd.") {
		return "osd." + name
	}
	return name
}

// device is the name of a drive as pools and arrays have it.
func device(c *topology.Component) string {
	return or(c.Device, strings.TrimPrefix(Path(c), "/dev/disk/by-id/"))
}

// array is the path of the array of md that a drive is a member of.
func array(c *topology.Component) string { return quote("/dev/" + or(c.Pool, "mdN")) }

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
