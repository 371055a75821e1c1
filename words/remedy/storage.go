package remedy

// relieves say how work is kept from a part without losing anything.
var relieves = map[string]string{
	"gpfs":   "New data can be kept off it, and what is on it stays readable; FS is the file system:",
	"lustre": "New files can be kept off it, on every MDS; what is on it stays readable:",
	"ceph":   "Reads can be sent to the other copies:",
	"zfs":    "Reads can be answered from parity (OpenZFS 2.4 and later):",
	"md":     "Reads can be sent to the other halves of the mirror:",
}

// takesOut say how a part is taken out.
var takesOut = map[string]string{
	"gpfs":      "It can be stopped; start it again with mmchdisk FS start:",
	"lustre":    "It can be deactivated; what has no second copy elsewhere cannot be read until it is active again:",
	"ceph":      "It can be taken out; data are copied from the others first:",
	"zfs":       "It can be taken offline, and replaced with zpool replace:",
	"md":        "It can be replaced by a spare, which is filled before it leaves:",
	"multipath": "The path can be failed; multipath -ll must show another that is active:",
	"raid":      "It can be set offline, and the spare or a new drive is rebuilt:",
	"gluster":   "The brick can be taken down and replaced; gluster volume heal VOLUME info must be empty first:",
	"beegfs":    "Its files can be moved away, while nobody changes them:",
	"hdfs":      "It can be left out, once dfs.datanode.data.dir of the server no longer names it:",
}
