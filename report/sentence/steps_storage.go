package sentence

import "github.com/limpet-storage/limpet/topology"

// relieves say how work is kept from a part without losing anything.
var relieves = map[string]string{
	"gpfs":   "New data can be kept off it, and its data stay readable. FS is the file system. mmchdisk FS resume undoes this:",
	"lustre": "New files can be kept off it: run this on every MDS (the value 20000 undoes it). Its files stay readable, and lfs_migrate moves them away:",
	"ceph":   "Reads of replicated pools can be sent to the other copies (the value 1 undoes it):",
	"zfs":    "Reads can be answered from parity (OpenZFS 2.4 and later):",
	"beegfs": "Its files can be moved away while nobody changes them. Files of mirror groups are not moved:",
}

// relieved says how work is kept from a part.
func relieved(c *topology.Component) string {
	switch {
	case c.Storage == "md" && c.Redundancy == "raid1":
		return "Reads can be sent to the other halves of the mirror (-writemostly undoes it):"
	case c.Storage == "md":
		return "A spare can be filled from it before it is removed, so that no redundancy is lost. If mdstat shows no spare, add one first:"
	}
	return relieves[c.Storage]
}

// takesOut say how a part is taken out.
var takesOut = map[string]string{
	"gpfs":      "It can be stopped if mmlsdisk FS -e lists no other disk. mmchdisk FS start starts it again:",
	"lustre":    "It can be deactivated for all clients: run this on the MGS (the value 1 undoes it). Files without a mirror elsewhere cannot be read until it is active again:",
	"ceph":      "It can be taken out. Its data are then copied from the other copies:",
	"zfs":       "It can be taken offline, and then replaced with zpool replace:",
	"md":        "It can be failed and removed. If a member is already missing, mdadm --detail --test stops the command:",
	"multipath": "The path can be failed if multipath -ll shows another active path:",
	"raid":      "It can be set offline if the controller shows its volume as optimal. The spare or a new drive is then rebuilt:",
	"gluster":   "The brick can be taken down and replaced if gluster volume heal VOLUME info lists no entries:",
	"hdfs":      "It can be taken out: remove it from dfs.datanode.data.dir of the server, check that hdfs fsck / is healthy, and run this (port 50020 before Hadoop 3):",
}
