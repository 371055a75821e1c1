// This file recognises outputs that people keep beside those about a site's storage, and
// gives the reason for which nothing is taken from them.

package site

import "regexp"

// reasons are told by a line that only such an output has.
var reasons = []struct {
	line   *regexp.Regexp
	reason string
}{
	{regexp.MustCompile(`^_(?:fs_io_s|io_s|ver|response|rhist)_ `), "mmpmon: counters of clients; print mmlsnsd -X"},
	{regexp.MustCompile(`^mm(?:health|lsfs|getstate|lspool|lsfileset|diag|lspolicy|lscluster|repquota|lsmount|remotecluster|lssnapshot):`), "a command of GPFS that names no disks; print mmlsnsd -X"},
	{regexp.MustCompile(`(?i)^\s*GPFS cluster (?:information|name)|^=== mmdiag: |^0x[0-9A-F]+ \(\s*\d+\) waiting |\bwaiting \d+\.\d+ sec(?:onds|\.)`), "a command of GPFS that names no disks; print mmlsnsd -X"},
	{regexp.MustCompile(`^\s*name\s+type\s+size\s+group metadata data\s+status`), "mmlsdisk as a table; print mmlsdisk FS -Y, which is read"},
	{regexp.MustCompile(`^\s*Row\s+Timestamp\s+\S+`), "mmperfmon: counters; the legend of the same output names servers and disks"},
	{regexp.MustCompile(`(?:avgqu-sz|aqu-sz|rrqm/s|%rrqm|kB_read/s|MB_read/s|Blk_read/s)`), "iostat: counters, without models and serials; print lsblk -J -O"},
	{regexp.MustCompile(`^\s*\d+\s+\d+ [a-z]\w*(?: \d+){11,}`), "/proc/diskstats: counters, without models and serials; print lsblk -J -O"},
	{regexp.MustCompile(`^\s*pool\s+alloc\s+free\b|^\s*capacity\s+operations\s+bandwidth`), "zpool iostat: counters; add -v to see drives, or print zpool status -LP"},
	{regexp.MustCompile(`^\d+ \d+ 0x[0-9a-f]+ \d+ \d+ \d+ \d+$`), "a kstat of ZFS: counters; print zpool status -LP"},
	{regexp.MustCompile(`^snapshot_time:?\s|^\s*read\s+\|\s+write`), "statistics of Lustre without the name of a target; print lctl get_param obdfilter.*.*"},
	{regexp.MustCompile(`^net:\s*$|^\s+- net type:`), "lnetctl: networks, no storage; print lctl get_param osd-*.*.mntdev on every server"},
	{regexp.MustCompile(`^\s*(?:PV\s+VG\s+Fmt|LV\s+VG\s+Attr|LVM2_(?:PV|LV|VG)_|VG\s+#PV)`), "LVM: volumes above drives; print lsblk -J -O, which shows both"},
	{regexp.MustCompile(`LVM2_\w+='`), "LVM: volumes above drives; print lsblk -J -O, which shows both"},
	{regexp.MustCompile(`^\S+(?: \([\d, :]+\)|:? \d+ \d+ (?:linear|striped|crypt|mirror|raid|snapshot|thin|multipath|cache|error))|^Name\s+Maj Min Stat Open`), "dmsetup: mappings above drives; print lsblk -J -O, which shows both"},
	{regexp.MustCompile(`^BBU status for Adapter|^BatteryType:|^Battery State`), "MegaCli: the battery; print MegaCli -PDList -aALL"},
	{regexp.MustCompile(`^\s*(?:Virtual Drive|CacheCade Virtual Drive|RAID Level)\s*:\s`), "MegaCli: volumes without their drives; print MegaCli -PDList -aALL"},
	{regexp.MustCompile(`^\s*(?:lsblk|/\S*lsblk): `), "lsblk did not understand its options; print lsblk -J -O"},
	{regexp.MustCompile(`^\s*(?:Platform : .*Rapid Storage|RAID Levels : )`), "mdadm --detail-platform: abilities, no arrays; print mdadm --detail /dev/md*"},
	{regexp.MustCompile(`^Partition (?:GUID code|unique GUID):`), "sgdisk: a partition; print lsblk -J -O"},
	{regexp.MustCompile(`Running command: /usr/|exec: Running command:`), "the log of ceph-volume; print ceph-volume lvm list --format json"},
	{regexp.MustCompile(`^\s*(?:cluster [0-9a-f-]{36}|health HEALTH_|monmap e\d+|epoch \d+|fsid [0-9a-f-]{36}|pool \d+ ')`), "the state of Ceph, without hosts and drives; print ceph osd metadata -f json"},
	{regexp.MustCompile(`^\s*(?:GLOBAL:|POOLS:|RAW STORAGE:|--- RAW STORAGE ---|osd\s+(?:fs_)?commit_latency|\d+ pgs: )|POOL\s+SIZE\s+TARGET SIZE`), "space and latency of Ceph, without hosts and drives; print ceph osd metadata -f json"},
	{regexp.MustCompile(`<(?:healInfo|volProfile|volList|volTop)>`), "gluster: no bricks with devices; print gluster volume status all detail --xml"},
	{regexp.MustCompile(`^-{3}SHELL\b|^\s*\| +(?:Index|Idx|OID) +\||^\s*Idx ?\||^\|\s*Physical Disk|PdIndex`), "tables of a DDN SFA, whose drives the servers do not see; print multipath -ll on every server"},
	{regexp.MustCompile(`^\.(?:\\"|Dd |Sh |Nm )`), "a manual page"},
	{regexp.MustCompile(`^(?:snap|cciss_vol_status|/dev/cciss/)\S*: `), "cciss_vol_status: volumes without their drives; print ssacli ctrl all show config detail"},
	{regexp.MustCompile(`^Unit\s+UnitType\s+Status|^Port\s+Status\s+Unit|^VPort\s+Status|^Ctl\s+Model\s+`), "tw_cli: 3ware is not read; print lsscsi and smartctl -i"},
	{regexp.MustCompile(`^fs::HEADER:`), "a command of GPFS that names no disks; print mmlsnsd -X"},
	{regexp.MustCompile(`^\d+ \d+ \d+\s+\S+ -- /`), "a list of files; print mmlsnsd -X"},
	{regexp.MustCompile(`^SAS[23]IRCU: Utility Completed|IR Volume information`), "sas2ircu: no drives in this output; print sas2ircu 0 DISPLAY"},
	{regexp.MustCompile(`multipath\.conf`), "a session that prints no paths; print multipath -ll on every server"},
	{regexp.MustCompile(`^report \d+\s*$`), "ceph report without its JSON; print ceph osd metadata -f json"},
	{regexp.MustCompile(`^size=\S+ features=`), "multipath: no line with the name and WWID of a map before its size; print multipath -ll again"},
	{regexp.MustCompile(`^Controllers found: \d|^\s+Reported Channel,Device`), "arcconf: Adaptec is not read; print lsblk -J -O"},
	{regexp.MustCompile(`^ioc\d+ vol_id |^ioc:\d+ vol_id:`), "mpt-status: volumes without their drives; print sas2ircu 0 DISPLAY"},
	{regexp.MustCompile(`^\s+logicaldrive \d+ \(|^\s+Logical Drive: \d`), "ssacli: volumes without their drives; print ssacli ctrl all show config detail"},
	{regexp.MustCompile(`^d\d+: (?:Mirror|RAID|Submirror|Concat|Soft Partition)`), "metastat: Solaris is not read"},
	{regexp.MustCompile(`^smartctl \d`), "smartctl: one drive; print lsblk -J -O for all"},
}

// reason says why a text that holds a line tells nothing of a site, empty
// where the line is not known.
func reason(line string) string {
	for _, r := range reasons {
		if r.line.MatchString(line) {
			return r.reason
		}
	}
	return ""
}

// keys are those of JSON documents that tell nothing of a site.
var keys = []struct{ key, reason string }{
	{"percent_used", "nvme smart-log: the health of one drive; print nvme list -o json"},
	{"critical_warning", "nvme smart-log: the health of one drive; print nvme list -o json"},
	{"mn", "nvme id-ctrl: one drive without its name; print nvme list -o json"},
	{"json_format_version", "smartctl: one drive; print lsblk -J -O for all"},
	{"smartctl", "smartctl: one drive; print lsblk -J -O for all"},
	{"osd_xinfo", "ceph osd dump: addresses and pools, without hosts and drives; print ceph osd metadata -f json"},
	{"osdperfs", "ceph osd perf: latencies; print ceph osd metadata -f json"},
	{"osdstats", "ceph osd perf: latencies; print ceph osd metadata -f json"},
	{"osd_perf_infos", "ceph osd perf: latencies; print ceph osd metadata -f json"},
	{"quorum", "ceph status: no hosts and drives; print ceph osd metadata -f json"},
	{"health", "ceph status: no hosts and drives; print ceph osd metadata -f json"},
	{"pgmap", "ceph status: no hosts and drives; print ceph osd metadata -f json"},
	{"pool_name", "pools of Ceph: no hosts and drives; print ceph osd metadata -f json"},
	{"pools", "pools without drives; print ceph osd metadata -f json, or zpool status -j"},
	{"stats", "space of Ceph: no hosts and drives; print ceph osd metadata -f json"},
	{"rgw", "counters of Ceph; print ceph osd metadata -f json"},
	{"balancer", "the balancer of Ceph; print ceph osd metadata -f json"},
	{"mode", "the balancer of Ceph; print ceph osd metadata -f json"},
	{"AsyncMessenger::Worker-0", "counters of Ceph; print ceph osd metadata -f json"},
	{"crush_rules", "the dashboard of Ceph: no hosts and drives; print ceph osd metadata -f json"},
	{"sysstat", "iostat: counters, without models and serials; print lsblk -J -O"},
}

// key says why a document with a key tells nothing of a site.
func key(has func(key string) bool) string {
	for _, k := range keys {
		if has(k.key) {
			return k.reason
		}
	}
	return ""
}
