package sentence

import "github.com/limpet-storage/limpet/topology"

// relieves has, for each storage, the sentence about keeping work away from a part without losing
// redundancy.
var relieves = map[string]string{
	"gpfs":   "To stop new writes to this disk, run the command below (FS is the name of the file system). The data of the disk stay readable. To allow new writes again, run mmchdisk FS resume. The command that stops new writes:",
	"lustre": "The files of this OST stay readable, and lfs_migrate moves them to other OSTs. To stop the creation of new files on this OST, run this command on every MDS (to reverse the change, set max_create_count to 20000):",
	"ceph":   "To send reads of replicated pools to the other copies, run this command (the value 1 reverses the change):",
	"zfs":    "To answer reads from parity instead of from this drive, run this command (OpenZFS 2.4 and later):",
	"limpet": "To mask this member, run this command. The array then computes the data of the member from the other members, and removes the mask when the member has recovered (to remove the mask earlier, run limpet raid unmask):",
	"beegfs": "To move the files of this target to other targets, run this command while no client changes these files. Files of mirror groups are not moved:",
}

// relieved states how to keep work away from a part.
func relieved(c *topology.Component) string {
	switch {
	case c.Storage == "md" && c.Redundancy == "raid1":
		return "To send reads to the other drives of the mirror, run this command (-writemostly reverses the change):"
	case c.Storage == "md":
		return "To copy the drive to a spare before it is removed, run this command. The array keeps its redundancy. If mdstat shows no spare, add a spare first:"
	}
	return relieves[c.Storage]
}

// takesOut has, for each storage, the sentences about taking a part out. The last sentence is about
// the command, which follows its colon.
var takesOut = map[string]string{
	"gpfs":      "To stop the disk, run this command, but only if mmlsdisk FS -e lists no other disk (mmchdisk FS start starts the disk again):",
	"lustre":    "To deactivate the OST for all clients, run this command on the MGS (the value 1 reverses the change; until then, files without a mirror on another OST cannot be read):",
	"ceph":      "To remove the OSD, take it out first. Ceph then makes new copies of its data from the other copies. Later, destroy the OSD only when ceph osd safe-to-destroy permits it. The next command takes the OSD out, unless placement groups are degraded, data are moving, or Ceph needs the OSD:",
	"zfs":       "To take the drive offline, run this command, and then replace the drive with zpool replace:",
	"md":        "To mark the drive as failed and remove it, run this command (if another member is already missing, the check mdadm --detail --test fails, and nothing is removed):",
	"multipath": "To mark the path as failed, run this command, but only if multipath -ll shows another active path:",
	"raid":      "To set the drive offline, run this command, but only if the controller shows its volume as optimal (the controller then rebuilds the data on the spare or a new drive):",
	"gluster":   "To stop and replace the brick, run this command, but only if gluster volume heal VOLUME info lists no entries:",
	"hdfs":      "To remove the drive, delete its directory from dfs.datanode.data.dir of the server, check that hdfs fsck / reports a healthy file system, and run this command (port 50020 before Hadoop 3):",
}
