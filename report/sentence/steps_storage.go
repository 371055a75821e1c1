package sentence

import "github.com/limpet-storage/limpet/topology"

// relieves say how work is kept from a part without losing anything.
var relieves = map[string]string{
	"gpfs":   "New data can be kept off it, and data on it stay readable; FS is the file system, and mmchdisk FS resume undoes it:",
	"lustre": "New files can be kept off it, on every MDS (the value 20000 undoes it); files on it stay readable, and lfs_migrate moves it:",
	"ceph":   "Reads of replicated pools can be sent to the other copies (the value 1 undoes it):",
	"zfs":    "Reads can be answered from parity (OpenZFS 2.4 and later):",
	"beegfs": "Its files can be moved away while nobody changes them; files of mirror groups stay:",
}

// relieved says how work is kept from a part.
func relieved(c *topology.Component) string {
	switch {
	case c.Storage == "md" && c.Redundancy == "raid1":
		return "Reads can be sent to the other halves of the mirror (-writemostly undoes it):"
	case c.Storage == "md":
		return "A spare can be filled from it before it is removed, so that no redundancy is lost; add a spare first if mdstat shows none:"
	}
	return relieves[c.Storage]
}

// takesOut say how a part is taken out.
var takesOut = map[string]string{
	"gpfs":      "It can be stopped if mmlsdisk FS -e lists no other disk; mmchdisk FS start starts it again:",
	"lustre":    "It can be deactivated for all clients, on the MGS; files without a mirror elsewhere cannot be read until it is active again (the value 1 undoes it):",
	"ceph":      "It can be taken out; data are copied from the others first:",
	"zfs":       "It can be taken offline, and replaced with zpool replace:",
	"md":        "It can be failed and removed; mdadm --detail --test stops the command if a member is missing already:",
	"multipath": "The path can be failed; multipath -ll must show another active path:",
	"raid":      "It can be set offline if the controller shows its volume as optimal; the spare or a new drive is rebuilt:",
	"gluster":   "The brick can be taken down and replaced; gluster volume heal VOLUME info must be empty first:",
	"hdfs":      "It can be left out if dfs.datanode.data.dir of the server no longer names it and hdfs fsck / is healthy (port 50020 before Hadoop 3):",
}
