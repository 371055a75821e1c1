// This file recognises outputs that people keep beside the output about a site's storage, and gives
// the reason why nothing is taken from them.

package site

import "github.com/limpet-storage/limpet/internal/lazyregexp"

// reasons are the reasons why nothing is taken from an output, each with a line that only this
// output has.
var reasons = []struct {
	line   *lazyregexp.Regexp
	reason string
}{
	{lazyregexp.New(`^_(?:fs_io_s|io_s|ver|response|rhist)_ `), "this is output of mmpmon, which has only counters of clients; give the output of `mmlsnsd -X`"},
	{lazyregexp.New(`^mm(?:health|lsfs|getstate|lspool|lsfileset|diag|lspolicy|lscluster|repquota|lsmount|remotecluster|lssnapshot):`), "this is output of a GPFS command that names no disks; give the output of `mmlsnsd -X`"},
	{lazyregexp.New(`(?i)^\s*GPFS cluster (?:information|name)|^=== mmdiag: |^0x[0-9A-F]+ \(\s*\d+\) waiting |\bwaiting \d+\.\d+ sec(?:onds|\.)`), "this is output of a GPFS command that names no disks; give the output of `mmlsnsd -X`"},
	{lazyregexp.New(`^\s*name\s+type\s+size\s+group metadata data\s+status`), "limpet does not read the table of mmlsdisk; give the output of `mmlsdisk FS -Y`"},
	{lazyregexp.New(`^\s*Row\s+Timestamp\s+\S+`), "these are counters of mmperfmon; keep the legend of this output, which names servers and disks"},
	{lazyregexp.New(`(?:avgqu-sz|aqu-sz|rrqm/s|%rrqm|kB_read/s|MB_read/s|Blk_read/s)`), "this is output of iostat, which has no models or serial numbers; give the output of `lsblk -J -O`"},
	{lazyregexp.New(`^\s*\d+\s+\d+ [a-z]\w*(?: \d+){11,}`), "this is /proc/diskstats, which has no models or serial numbers; give the output of `lsblk -J -O`"},
	{lazyregexp.New(`^\s*pool\s+alloc\s+free\b|^\s*capacity\s+operations\s+bandwidth`), "this is output of zpool iostat without drives; add -v, or give the output of `zpool status -LP`"},
	{lazyregexp.New(`^\d+ \d+ 0x[0-9a-f]+ \d+ \d+ \d+ \d+$`), "this is a kstat file of ZFS, which has only counters; give the output of `zpool status -LP`"},
	{lazyregexp.New(`^snapshot_time:?\s|^\s*read\s+\|\s+write`), "these are statistics of Lustre without the name of a target; give the output of `lctl get_param obdfilter.*.*`"},
	{lazyregexp.New(`^net:\s*$|^\s+- net type:`), "this is output of lnetctl, which shows networks and no storage; run `lctl get_param osd-*.*.mntdev` on every server, and give its output"},
	{lazyregexp.New(`^\s*(?:PV\s+VG\s+Fmt|LV\s+VG\s+Attr|LVM2_(?:PV|LV|VG)_|VG\s+#PV)`), "this is output of LVM, which shows volumes and not drives; give the output of `lsblk -J -O`, which shows volumes and drives"},
	{lazyregexp.New(`LVM2_\w+='`), "this is output of LVM, which shows volumes and not drives; give the output of `lsblk -J -O`, which shows volumes and drives"},
	{lazyregexp.New(`^\S+(?: \([\d, :]+\)|:? \d+ \d+ (?:linear|striped|crypt|mirror|raid|snapshot|thin|multipath|cache|error))|^Name\s+Maj Min Stat Open`), "this is output of dmsetup, which shows mappings and not drives; give the output of `lsblk -J -O`, which shows mappings and drives"},
	{lazyregexp.New(`^BBU status for Adapter|^BatteryType:|^Battery State`), "this is output of MegaCli about the battery; give the output of `MegaCli -PDList -aALL`"},
	{lazyregexp.New(`^\s*(?:Virtual Drive|CacheCade Virtual Drive|RAID Level)\s*:\s`), "this is output of MegaCli with volumes but without drives; give the output of `MegaCli -PDList -aALL`"},
	{lazyregexp.New(`^\s*(?:lsblk|/\S*lsblk): `), "this is an error message of lsblk about its options; give the output of `lsblk -J -O`"},
	{lazyregexp.New(`^\s*(?:Platform : .*Rapid Storage|RAID Levels : )`), "this is output of mdadm --detail-platform, which shows no arrays; give the output of `mdadm --detail /dev/md*`"},
	{lazyregexp.New(`^Partition (?:GUID code|unique GUID):`), "this is output of sgdisk about one partition; give the output of `lsblk -J -O`"},
	{lazyregexp.New(`Running command: /usr/|exec: Running command:`), "this is the log of ceph-volume; give the output of `ceph-volume lvm list --format json`"},
	{lazyregexp.New(`^\s*(?:cluster [0-9a-f-]{36}|health HEALTH_|monmap e\d+|epoch \d+|fsid [0-9a-f-]{36}|pool \d+ ')`), "this is the status of a Ceph cluster, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{lazyregexp.New(`^\s*(?:GLOBAL:|POOLS:|RAW STORAGE:|--- RAW STORAGE ---|osd\s+(?:fs_)?commit_latency|\d+ pgs: )|POOL\s+SIZE\s+TARGET SIZE`), "this is output about the space or the latencies of a Ceph cluster, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{lazyregexp.New(`<(?:healInfo|volProfile|volList|volTop)>`), "this is output of gluster without the devices of bricks; give the output of `gluster volume status all detail --xml`"},
	{lazyregexp.New(`^-{3}SHELL\b|^\s*\| +(?:Index|Idx|OID) +\||^\s*Idx ?\||^\|\s*Physical Disk|PdIndex`), "these are tables of a DDN SFA, and servers do not see its drives; run `multipath -ll` on every server, and give its output"},
	{lazyregexp.New(`^\.(?:\\"|Dd |Sh |Nm )`), "this is a manual page; give the output of the tool"},
	{lazyregexp.New(`^(?:snap|cciss_vol_status|/dev/cciss/)\S*: `), "this is output of cciss_vol_status, with volumes but without drives; give the output of `ssacli ctrl all show config detail`"},
	{lazyregexp.New(`^Unit\s+UnitType\s+Status|^Port\s+Status\s+Unit|^VPort\s+Status|^Ctl\s+Model\s+`), "limpet does not read the output of tw_cli (3ware); give the output of `lsscsi` and `smartctl -i`"},
	{lazyregexp.New(`^fs::HEADER:`), "this is output of a GPFS command that names no disks; give the output of `mmlsnsd -X`"},
	{lazyregexp.New(`^\d+ \d+ \d+\s+\S+ -- /`), "this is a list of files; give the output of `mmlsnsd -X`"},
	{lazyregexp.New(`^SAS[23]IRCU: Utility Completed|IR Volume information`), "this is output of sas2ircu without drives; give the output of `sas2ircu 0 DISPLAY`"},
	{lazyregexp.New(`multipath\.conf`), "this is output of multipath without paths; run `multipath -ll` on every server, and give its output"},
	{lazyregexp.New(`^report \d+\s*$`), "this is output of ceph report without its JSON; give the output of `ceph osd metadata -f json`"},
	{lazyregexp.New(`^size=\S+ features=`), "this is output of multipath, but the line with the name and WWID of a map is missing; give the output of `multipath -ll` again"},
	{lazyregexp.New(`^Controllers found: \d|^\s+Reported Channel,Device`), "limpet does not read the output of arcconf (Adaptec); give the output of `lsblk -J -O`"},
	{lazyregexp.New(`^ioc\d+ vol_id |^ioc:\d+ vol_id:`), "this is output of mpt-status, with volumes but without drives; give the output of `sas2ircu 0 DISPLAY`"},
	{lazyregexp.New(`^\s+logicaldrive \d+ \(|^\s+Logical Drive: \d`), "this is output of ssacli with volumes but without drives; give the output of `ssacli ctrl all show config detail`"},
	{lazyregexp.New(`^d\d+: (?:Mirror|RAID|Submirror|Concat|Soft Partition)`), "limpet does not read the output of metastat (Solaris): describe the drives in a topology file"},
	{lazyregexp.New(`^smartctl \d`), "this is output of smartctl about one drive; give the output of `lsblk -J -O`, which lists all drives"},
}

// reason returns the reason why nothing is taken from a text with this line; "": the line is not
// known.
func reason(line string) string {
	for _, r := range reasons {
		if r.line.MatchString(line) {
			return r.reason
		}
	}
	return ""
}

// keys are the keys of JSON documents from which nothing is taken.
var keys = []struct{ key, reason string }{
	{"percent_used", "this is output of nvme smart-log, with the health of one drive; give the output of `nvme list -o json`"},
	{"critical_warning", "this is output of nvme smart-log, with the health of one drive; give the output of `nvme list -o json`"},
	{"mn", "this is output of nvme id-ctrl, with one drive and without its name; give the output of `nvme list -o json`"},
	{"json_format_version", "this is output of smartctl about one drive; give the output of `lsblk -J -O`, which lists all drives"},
	{"smartctl", "this is output of smartctl about one drive; give the output of `lsblk -J -O`, which lists all drives"},
	{"osd_xinfo", "this is output of ceph osd dump, which shows no hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"osdperfs", "this is output of ceph osd perf, which has only latencies; give the output of `ceph osd metadata -f json`"},
	{"osdstats", "this is output of ceph osd perf, which has only latencies; give the output of `ceph osd metadata -f json`"},
	{"osd_perf_infos", "this is output of ceph osd perf, which has only latencies; give the output of `ceph osd metadata -f json`"},
	{"quorum", "this is output of ceph status, which shows no hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"health", "this is output of ceph status, which shows no hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"pgmap", "this is output of ceph status, which shows no hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"pool_name", "this is a list of Ceph pools, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"pools", "this is a list of pools without drives; give the output of `ceph osd metadata -f json` or `zpool status -j`"},
	{"stats", "this is output about the space of a Ceph cluster, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"rgw", "these are counters of Ceph, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"balancer", "this is output of Ceph's balancer, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"mode", "this is output of Ceph's balancer, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"AsyncMessenger::Worker-0", "these are counters of Ceph, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"crush_rules", "this is output of Ceph's dashboard, without hosts or drives; give the output of `ceph osd metadata -f json`"},
	{"sysstat", "this is output of iostat, which has no models or serial numbers; give the output of `lsblk -J -O`"},
}

// reasonOfKey returns the reason why nothing is taken from a document with a key; "": no key is
// known.
func reasonOfKey(has func(key string) bool) string {
	for _, k := range keys {
		if has(k.key) {
			return k.reason
		}
	}
	return ""
}
