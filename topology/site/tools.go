package site

import (
	"path"
	"slices"
	"strings"
)

// tools are the commands whose outputs a site may keep: their names stand in
// prompts, in banners and in names of files, and are no servers.
var tools = []string{
	"arcconf", "beegfs", "beegfs-ctl", "cat", "ceph", "ceph-volume", "cephadm", "dfsadmin", "dmsetup", "findmnt",
	"gluster", "hdfs", "hadoop", "hpacucli", "hpssacli", "iostat", "lctl", "lfs", "limpet", "ls", "lsblk", "lshw",
	"lsscsi", "lvs", "mdadm", "mdstat", "megacli", "megacli64", "mmdf", "mmhealth", "mmlscluster", "mmlsdisk",
	"mmlsfs", "mmlsnsd", "mmgetstate", "mmlspool", "mmperfmon", "mmpmon", "mount", "multipath", "multipathd", "nvme",
	"perccli", "perccli64", "pvs", "sas2ircu", "sas3ircu", "scsi", "sg_ses", "ses", "smartctl", "ssacli", "storcli",
	"storcli2", "storcli64", "sudo", "tree", "udevadm", "vgs", "zfs", "zpool",
}

// isTool reports whether a command, or a word, begins with a tool's name.
func isTool(command string) bool {
	words := strings.Fields(command)
	if len(words) > 1 && words[0] == "sudo" {
		words = words[1:]
	}
	return len(words) > 0 && slices.Contains(tools, strings.ToLower(path.Base(words[0])))
}
