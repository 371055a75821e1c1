package phrases

import (
	"regexp"
	"strconv"
	"strings"
)

// valuesAt are examples of values by place and by the name of the value in the source, where
// the name alone would give a wrong example. A place is a package, a file, or a file and a function; the
// longest that fits counts. A bar separates the examples of several values with the same name.
var valuesAt = map[string]map[string]string{
	"cmd/limpet/raid_control.go printServed": {"maskText": "masked by alice since 02:00", "name": "/dev/sdh", "Array": "1f8b2c"},
	"live/action": {
		"What": "let other OSDs answer the reads of osd.3", "Command": "ceph osd tree", "Wants": "the primary_affinity of osd.3 is 1", "Normal": "the primary_affinity of osd.3 is 1",
		"Masked": "the primary_affinity of osd.3 is 0", "Refused": "muted", "Do": "ceph osd out osd.3", "UndoBy": "alice", "Undo": "ceph osd primary-affinity osd.3 1", "ID": "12", "id": "12",
		"Component": "osd.3", "unknown": "osd.9", "Fields": "osd.3 up 1.0", "printed": " (answer: osd.3 up 0.5)", "State": "watching", "Reason": "the action did not help", "Action": "12",
		"…": "24.1 ms|6.68 ms", "trouble": "the ledger cannot be written", "File": "/etc/passwd",
	},
	"live/cluster/worker.go run":                {"err": "the lease of partition 3 is lost"},
	"report/action":                             {"Storage": "zfs", "Effect": "relieve", "Run": "mask.sh", "effect": "relieve"},
	"report/action/answers.go":                  {"shown": "\"resync\"", "answer": "\"resync\"", "names": "osd.3", "name": "sdb", "Name": "active+degraded", "state": "DEGRADED", "devices": "FAULTED", "spares": "INUSE", "mapped": "mpatha", "Affinity": "0.5", "Stopped": "too many members failed", "State": "lost", "Kind": "rebuild", "Role": "2", "Job": "rebuild"},
	"report/action/answers.go healthIsGood":     {"name": "OSD_NEARFULL"},
	"report/action/answers.go poolOf":           {"names": "tank|sdb", "pool": "tank"},
	"report/action/answers.go pathsOf":          {"names": "sdb", "name": "sdb"},
	"report/sentence/headline.go alone":         {"Digits": "2.9|3.6"},
	"report/sentence/past.go before":            {"Digits": "2.9|3.6"},
	"report/sentence/past.go requestsBefore":    {"Quantity": "128 kB|16 kB", "noun": "size of a request"},
	"report/sentence/headline.go otherRequests": {"noun": "size of a request", "own": "256 kB", "peers": "32 kB"},
	"report/sentence/headline.go tail":          {"Digits": "200|12"},
	"report/sentence/limits.go paused":          {"Digits": "3.5|6.68"},
	"report/sentence/limits.go pauseFacts":      {"Digits": "0", "score": "38.1 points of evidence", "threshold": "16.4"},
	"report/sentence/load.go asked":             {"Quantity": "24.1 ms|20.9 ms|3.2 ms|3.1 ms"},
	"report/sentence/limits.go waitsAt":         {"Quantity": "24.1 ms|1.2 ms"},
	"live/cluster/bus/jetstream/connect.go":     {"what": "the leases"},
	"live/action/advance.go advance":            {"State": "undone"},
	"lab/evaluate/experiments_report.go":        {"Name": "pvfs-10/10"},
	"lab/evaluate/experiments.go":               {"Run": "r1-012"},
	"lab/evaluate/evaluate.go IndictingMethod":  {"name": "l13"},
	"lab/testbed/bench/run.go":                  {"Name": "r1-012|run.log"},
	"lab/simulate/arrays/events.go mechanism":   {"name": "gremlins"},
	"lab/simulate/arrays/events.go takes":       {"name": "server down"},
	"lab/simulate/arrays/mechanisms.go names":   {"known": "6.00|7.23", "name": "9.99", "kinds": "LUN"},
	"lab/simulate/arrays/mechanisms.go of":      {"name": "ddn99", "Arrays": "ddn6|ddn21"},
	"raid/replay/trace_reader.go":               {"name": "trace.csv"},
	"raid/replay/delay_quantiles.go":            {"name": "slow.csv", "slowdown": "12x", "share": "12x"},
	"live/cluster/plan/agree.go":                {"system": "9ae25669", "Topology": "948fb423"},
	"report/sentence/limits.go roomOf":          {"Digits": "1200|40000", "sizeOf": "12 GB|400 GB"},
	"report/sentence/limits.go limitFacts":      {"Digits": "1200|40000|3", "sizeOf": "12 GB|400 GB"},
	"cmd/limpet": {
		"Text": "the files of fs3 have no data of disks", "w": "the files of fs3 have no data of disks", "FormatBytes": "512M|64M", "roots": "/data/tools", "CommandPath": "limpet diagnose",
		"inUnits": "24.1 GiB", "page": "limpet-demo/report.html", "near": "topology", "tables": "sar", "What": "a study of limpet", "Give": "give this file with --study",
	},
	"cmd/limpet/backup.go":                       {"FormatBytes": "1048576", "path": "limpet.tar", "Server": "127.0.0.1:9714"},
	"cmd/limpet/demo.go":                         {"Text": "the drives of LUN 1.07 take 3 times longer for a request", "dir": "limpet-demo/topology.yaml|limpet-demo/activity", "files": "limpet-demo/activity", "page": "limpet-demo/report.html"},
	"cmd/limpet/demo_live.go":                    {"Text": "nothing limps", "Format": "02:00", "Change": "opened"},
	"cmd/limpet/demo_live.go sayEvent":           {"Text": slowLUN},
	"cmd/limpet/demo_live.go recordLive":         {"Text": "the drives of LUN 1.07 take 3 times longer for a request"},
	"cmd/limpet/diagnose.go":                     {"orders": "worst or newest", "order": "oldest"},
	"cmd/limpet/dump.go":                         {"p": "latency|waits"},
	"cmd/limpet/errors.go":                       {"text": "report.html cannot be written: no space left on device"},
	"cmd/limpet/evaluate.go":                     {"args": "tesbench", "name": "limpet evaluate testbench", "CommandPath": "limpet evaluate testbench"},
	"cmd/limpet/evaluate_incidents.go":           {"Experiments": "events, concurrent or quiet"},
	"cmd/limpet/evaluate_recorded.go":            {"from": "disks"},
	"cmd/limpet/evaluate_sweep.go":               {"args": "smooth", "names": "smooth, k or factor"},
	"cmd/limpet/evaluate_truth.go":               {"clusters": "cluster_A and cluster_B"},
	"cmd/limpet/flags.go unknownFlag":            {"Repeat": "--", "text": "write --output FILE", "name": "topolgy", "near": "topology"},
	"cmd/limpet/flags.go flagError":              {"name": "why"},
	"cmd/limpet/incidents.go newSaying":          {"example": "mute 4fd2a1 --until 3d", "verb": "comment"},
	"cmd/limpet/main.go run":                     {"Text": "there is no command \"diagnos\""},
	"cmd/limpet/main.go unknownCommand":          {"near": "diagnose", "name": "diagnos", "Name": "raid"},
	"cmd/limpet/main.go paths":                   {"what": "activity files, a directory of activity files, or --store URL"},
	"cmd/limpet/outputs.go":                      {"other": "html", "flag": "csv", "path": "report.html"},
	"cmd/limpet/progress.go":                     {"what": "simulating and diagnosing runs"},
	"cmd/limpet/raid_open.go":                    {"texts": "normal, proactive, adaptive or hedge"},
	"cmd/limpet/raid_scratch.go":                 {"there": "/mnt/scratch/d0", "absent": "/mnt/scratch/d1"},
	"cmd/limpet/raid_serve.go":                   {"client": "127.0.0.1:41822", "text": "the array is degraded", "uri": "nbd+unix:///array?socket=/run/a.sock", "listen": "127.0.0.1:10809", "name": "array", "path": "/run/a.sock"},
	"cmd/limpet/recognise.go":                    {"File": "sa05", "path": "sa05", "noun": "topology file", "what": "a CSV table"},
	"cmd/limpet/serve.go":                        {"DefaultListen": "127.0.0.1:9714", "text": "the topology was read again", "path": "limpet.yaml"},
	"cmd/limpet/simulate.go":                     {"diagnose": "limpet diagnose", "dir": "run/topology.yaml|run/activity", "truth": "run/truth.yaml"},
	"cmd/limpet/simulate_fleet.go":               {"start": "31.1.2026"},
	"cmd/limpet/simulate_intrepid.go":            {"start": "9.5.2011", "name": "days"},
	"cmd/limpet/simulate_testbench.go":           {"texts": "disk-hog, disk-busy or send-pktloss", "start": "9.5.2011", "name": "strength"},
	"cmd/limpet/store.go":                        {"args": "/var/log/sysstat", "dir": "/tmp/limpet-store"},
	"cmd/limpet/study.go":                        {"missing": "2026-03-14.parquet", "args": "fleet"},
	"cmd/limpet/study_records.go":                {"paths": "/var/log/sysstat", "rowsLine": "reading records … 24.1 M rows, 6.68 M rows/s", "line": "reading records … 24.1 M rows, 6.68 M rows/s"},
	"cmd/limpet/table_times.go":                  {"dates": "year-first"},
	"cmd/limpet/topology_check.go":               {"path": "site.yaml"},
	"cmd/limpet/topology_import.go":              {"output": "site.yaml", "Refused": "this is a manual page; give the output of the tool", "File": "tools/README", "source": "12 files", "err": "line 12: the setting \"servers\" is missing"},
	"cmd/limpet/train.go":                        {"model": "day.json", "page": "day.html"},
	"cmd/limpet/version.go":                      {"Go": "go1.26"},
	"cmd/limpet/witness.go readBounded":          {"most": "67108864"},
	"cmd/limpet-record":                          {"Get": "1.0", "value": "maybe", "name": "once", "DefValue": "1s", "run": "no directory is given for the recorded files: name a directory"},
	"cmd/limpet-testbed":                         {"GOOS": "darwin", "command": "hog", "arguments": "a mode and an address", "Format": "02:00", "Round": "312", "Seconds": "312"},
	"cmd/limpet-testbed/main.go describe":        {"Name": "r1-012", "Volume": "replicated volume, workload", "Workload": "dd-w", "Congestion": "congestion control cubic", "DiskBytes": "120", "LinkMbit": "1000", "Fault": "fault disk-busy", "Servers": "fs1", "Strength": "24"},
	"cmd/limpet-testbed/record.go perform":       {"describe": "run r1-012, fault disk-busy at fs1", "verdict": "recorded", "took": "312"},
	"cmd/limpet-testbed/record.go missing":       {"system": "ceph", "dir": "limpet-testbed"},
	"cmd/limpet-testbed/record.go failures":      {"names": "r1-012 and r1-017", "failed": "r1-012 and r1-017"},
	"cmd/manual/page.go defaultOf":               {"names": "text", "DefValue": "text"},
	"internal/bounded/bounded.go":                {"Text": "0", "Low": "1", "High": "100", "Unit": " days", "Is": "a number", "Example": ", such as 30"},
	"internal/bounded/readfile.go":               {"FormatBytes": "1048576"},
	"internal/bounds/bounds.go":                  {"nameOf": "workers", "parts": "from 1 to 8"},
	"internal/extsort":                           {"NoSpace": "free some space, or set TMPDIR to another directory"},
	"internal/post":                              {"shown": "https://alerts.example.net", "StatusText": "Service Unavailable", "Moved": "https://alerts2.example.net", "Target": "https://alerts.example.net"},
	"internal/version":                           {"Go": "go1.26", "Version": "1.0"},
	"internal/yamlfile":                          {"Value": "base", "suggest": "did you mean \"zones\"?", "nearest": "zones", "usual": "true", "other": "false", "what": "an entry of arrays", "problem": "line 12: found a tab"},
	"internal/yamlfile/decoder.go Choice":        {"text": "yess"},
	"internal/yamlfile/suggest.go":               {"known": "\"name\", \"servers\" and \"luns\"", "names": "\"name\", \"servers\" and \"luns\""},
	"internal/outfile/target.go":                 {"path": "/tmp/report.html", "dir": "/tmp/report.html|/tmp"},
	"lab/evaluate/incidents.go":                  {"e": "evnts"},
	"lab/evaluate/incidents_report.go":           {"short": "0.8", "per": "0.8"},
	"lab/evaluate/intrepid_report.go":            {"Subject": "slow LUNs", "Method": "mean", "d": "2", "text": "slow LUNs with measure mean: 2", "name": "mean"},
	"lab/evaluate/past_report.go":                {"IncidentsOf": "sdb since 2026-03-14", "err": "3.1", "chance": "3.1", "expected": "3.1"},
	"lab/evaluate/sensitivity_report.go":         {"": "23 of 23 faults found, 0 wrong incidents, median time to an incident 34 min", "k": "test bench", "clock": "24.1 s|36 s", "Direction": "double", "short": "4"},
	"lab/evaluate/sweep_page.go":                 {"of": "values of the setting smooth", "short": "3"},
	"lab/evaluate/testbench.go":                  {"what": "fault", "v": "disk-busy", "p": "pvfs-10/10 dd-w disk-busy 3"},
	"lab/evaluate/training.go":                   {"p": "pvfs-10/10 dd-w training 3"},
	"lab/evaluate/testbench_page.go":             {"name": "ITP", "rate": "ITP", "system": "lustre-6/12", "cluster": "lustre-6/12"},
	"lab/evaluate/text.go":                       {"b": "the rates are percent of runs"},
	"lab/evaluate/truth.go":                      {"persist": "8, 1 and 100"},
	"lab/evaluate/truth_report.go":               {"n": "3"},
	"lab/evaluate/truth_report.go Report":        {"brief": "1,200"},
	"lab/evaluate/labels.go":                     {"name": "labels.csv", "columns": "cluster, host and disk", "column": "disk"},
	"lab/evaluate/intrepid_run.go":               {"name": "2011-07-14 ddn19a", "Name": "2011-07-14 ddn19a"},
	"lab/evaluate/past.go":                       {"name": "sdb"},
	"lab/simulate/arrays/aim.go":                 {"Text": "event of 2011-07-14"},
	"lab/simulate/arrays/draw.go":                {"Sub": "6 h", "drawnLatest": "12 h"},
	"lab/simulate/arrays/events.go":              {"what": "a duration, such as 4.7d, 36h or 90m"},
	"lab/simulate/arrays/fault.go":               {"Attachment": "path 6.34.124", "Await": "80 ms"},
	"lab/simulate/arrays/mechanisms.go":          {"Arrays": "ddn6|ddn21", "kinds": "LUN"},
	"lab/simulate/arrays/scenario.go":            {"full": "1", "Busiest": "1.2", "Text": "slow LUN 6.34"},
	"lab/simulate/testbench":                     {"…": "fs1"},
	"lab/testbed/bench":                          {"output": "device is busy", "mode": "write", "missing": "fio and ceph-osd", "Args": "the daemon glusterd", "slot": "2", "path": "/tmp/limpet-testbed/log"},
	"lab/testbed/gluster":                        {"args": "volume create gv0", "out": "the brick is in use"},
	"lab/testbed/ceph":                           {"said": "osd.3 is down"},
	"lab/testbed/truth.go":                       {"name": "truth.csv", "column": "begin", "columns": "run, fault, server, begin and end"},
	"live/alert/webhook.go":                      {"secret": "/etc/limpet/secret"},
	"live/alert/options.go":                      {"Least": "urgent", "Name": "webhook 1"},
	"live/cluster":                               {"Task": "partition 3", "late": "partition 3", "r": "reader", "UTC": "2026-03-14 02:00"},
	"live/cluster/bus/jetstream":                 {"redacted": "nats://nats1:4222", "URLs": "nats://nats1:4222", "ConnectedUrlRedacted": "nats://nats2:4222"},
	"live/history":                               {"bare": "permission denied", "Path": "2026-03-14.seg"},
	"live/journal":                               {"f": "3 components and 2 metrics", "Form": "3 components and 2 metrics", "form": "3 components and 2 metrics", "now": "5 components and 2 metrics", "path": "log.000012", "format": "log.000012"},
	"live/ledger":                                {"Beginning": "7f", "IDs": "7f3a9c and 7f55e0"},
	"live/top/print.go":                          {"source": "this machine", "Text": slowLUN, "change": " is over"},
	"live/top/verdicts.go":                       {"stamp": "02:00", "change": " is over"},
	"live/top/replay.go":                         {"err": "permission denied"},
	"live/top/screen":                            {"find": "sdb"},
	"live/top/screen/view.go":                    {"Text": "\"sdz\"", "find": "sdb"},
	"live/watch/change.go":                       {"err": "the file is damaged"},
	"live/announce/lost.go":                      {"name": "journal", "names": "journal", "file": "/var/lib/limpet/ledger.db"},
	"raid":                                       {"g": "6 members with chunks of 65536 bytes", "lost": "2 and 4", "who": "member 2 (/dev/sdc)", "ErrRot": "a checksum is wrong", "op": "write", "rebuilding": "4", "array": "1f8b2c|77a0e1", "member": "2"},
	"raid/assemble.go sameGeometry":              {"own": "8 members with chunks of 65536 bytes"},
	"raid/faulty":                                {"ops": "read, write and sync", "faults": "error, slow and lie", "word": "reed:error"},
	"raid/policy":                                {"is": "a number", "get": "0", "none": "st, sr and cap"},
	"raid/replay/delay_distribution.go Validate": {"Compress": "0"},
	"raid/replay/drive.go":                       {"kind": "tape", "drive": "tape", "d": "tape"},
	"raid/replay":                                {"d": "disk", "heads": "p50 │ p99 │ p99.9 │ ", "f": "8:16", "read": "R", "write": "W", "Delay": "rare delays", "Distribution": "rare delays", "D": "rare delays", "delay": "rare delays"},
	"raid/replay/text.go textSlowdowns":          {"heads": "p50 │ p99 │ p99.9"},
	"raid/replay/delay_periodic.go":              {"Min": "3m", "Max": "6m", "From": "20m", "To": "40m", "maxTime": "24h", "Duration": "10m", "length": "10m", "min": "3m", "max": "6m", "least": "3m", "most": "6m", "low": "0"},
	"report/plot_draw.go":                        {"says": "the other components of peer group old/3", "name": "old/3"},
	"report/recent.go":                           {"Band": "▒"},
	"report/text.go":                             {"text": "site.yaml:3: the names of drives do not fit the data", "next": "Check the drives of LUN 1.07 on its controller for media errors"},
	"report/json.go":                             {"encode": "3"},
	"report/action/drivers.go":                   {"quote": "writemostly|/sys/block/md0/md/dev-sdb/state"},
	"report/action/policy.go":                    {"p": "osd[", "what": "a kind of storage", "words": "ceph, md, zfs or multipath", "text": "cephfs"},
	"report/action/policy.go mode":               {"text": "always"},
	"report/action/policy.go hours":              {"text": "22-6"},
	"report/outcome":                             {"about": "fs9", "About": "fs3", "What": slowLUN, "Tier": "LUN", "Name": "1.07", "Fold": "fs[1-8]"},
	"report/page/dots.go":                        {"say": "1.8|4.1"},
	"report/page/assets/page.js":                 {"value": "1 of 12"},
	"report/heatmap":                             {"levelsOfYear": "4"},
	"report/ranking/text.go":                     {"Sure": "seen again: in 3 of 8 outputs", "LookReason": "the component has more work (requests a second 120, peers 40): this can explain the difference", "host": "server fs1", "name": "server fs1", "group": "server fs1", "Kind": "drive"},
	"report/sentence/action.go":                  {"Text": "the incident is muted.", "Command": "ceph osd primary-affinity osd.3 0", "Wants": "the command succeeds", "Undo": "ceph osd primary-affinity osd.3 1", "Tier": "server", "Missing": "device", "Storage": "zfs", "Redundancy": "raidz2", "either": "relieve or take out", "Refused": "at once", "Hours": "22:00-06:00 UTC", "part": "osd.3", "group": "pool tank", "on": " on osd.3", "Group": "pool tank", "Name": "mirror 2"},
	"report/sentence/action.go Lines":            {"why": "the incident is muted.", "Text": "let other OSDs answer the reads of osd.3", "Command": "ceph osd primary-affinity osd.3 0"},
	"report/sentence/action.go refusal":          {"Name": "fs1", "KindName": "lost paths", "Kind": "slow drive", "Digits": "1.5"},
	"report/sentence/alerts.go":                  {"…": "LUN 1.07", "sharedBy": "controller ddn2a and drawer 2", "noun": "await"},
	"report/sentence/alerts.go against":          {"peers": "6.68 ms|its peers"},
	"report/sentence/beneath.go":                 {"KindName": "slow drive", "Other": "s2/sdb", "milliseconds": "24.1 ms|6.68 ms", "Name": "osd.3"},
	"report/sentence/because.go":                 {"its": "its 31 peers", "peers": "6.68 ms", "names": "LUNs 1.07 and 1.08", "metrics": "svctm and avgqu-sz", "Name": "await", "label": "await"},
	"report/sentence/because.go its":             {"peers": "15 peers"},
	"report/sentence/because.go compared":        {"its": "its 15 peers", "Name": "await|primary", "measure": "24.1 ms|6.68 ms"},
	"cmd/limpet/raid_replay.go curable":          {"err": "the replay needs more than the memory limit", "advice": "shorten the trace", "hint": "shorten the trace", "cure": "shorten the trace"},
	"report/sentence/because.go Because":         {"Name": "fs1", "score": "3.2 times its peers' value", "threshold": "1.5"},
	"report/sentence/headline.go":                {"whose": "the", "who": "server fs1", "noun": "reads", "own": "66.6 MB/s", "peers": "38.4 MB/s"},
	"report/sentence/headline.go stalled":        {"who": "array 1"},
	"report/sentence/limits.go":                  {"pauseCauses": "all tasks waited for memory", "sizeOf": "12 GB|400 GB"},
	"report/sentence/look.go":                    {"s": "persists", "value": "120", "beside": "requests a second 120, peers 40", "Object": "osd.3", "To": "fs2", "From": "fs1", "when": " since map 3", "Kind": "drives"},
	"report/sentence/look.go LookFinding":        {"Kind": "drives"},
	"report/sentence/nothing.go":                 {"FoldSorted": "fs3 and fs4"},
	"report/sentence/remark.go":                  {"Symptom": "longer waits for their drives", "FoldSorted": "fs3 and fs4", "text": "There are no data of fs3 and fs4", "list": "fs3 and fs4"},
	"report/sentence/remark.go Silences":         {"text": "There are no data of fs3 and fs4 after 02:00"},
	"report/sentence/ruledout.go":                {"doubts": "the difference is small compared with the work of its peers"},
	"report/sentence/steps.go":                   {"WWN": "naa.5000c500a1b2c3d4", "facts": "server fs1, slot 7", "Group": "pool tank", "Name": "mirror 2", "Source": "The Tail at Store, FAST 2016"},
	"report/sentence/steps.go waiting":           {"": "The Tail at Store, FAST 2016", "source": "The Tail at Store, FAST 2016", "Of": "The Tail at Store, FAST 2016"},
	"report/sentence/steps.go located":           {"what": "The component is", "slot": "7", "Slot": "7", "Enclosure": "2", "Drawer": "2", "Array": "ddn1", "Serial": "ZA1B2C3D"},
	"report/sentence/summary.go":                 {"Placed": "LUN 1.07", "Text": "ordered a drive", "what": "new incident", "said": slowLUN, "Name": "await"},
	"report/sentence/witness.go":                 {"text": "witness: server fs1: 3 media errors of sdb"},
	"report/sentence/writer.go":                  {"Placed": "LUN 1.07", "names": "fs1 and fs2"},
	"report/sentence/past.go sincePast":          {"Name": "await", "Quantity": "12 days", "Digits": "120|40|81", "measure": "24.1 ms|6.68 ms"},
	"server/access/users.go":                     {"name": "alice"},
	"server/access/users.go proxy":               {"text": "0.0.0.0/0"},
	"server/access/users.go header":              {"name": "Host", "text": "X Remote"},
	"server/api/client":                          {"FormatBytes": "1048576", "Server": "127.0.0.1:9714", "server": "127.0.0.1:9714"},
	"server/api/client/errors.go":                {"Text": "the request has no login"},
	"server/api/client/incidents.go Until":       {"text": "2020-01-01"},
	"server/api/client/incidents.go Done":        {"Text": "worn-out SSD"},
	"server/api/client/text.go Show":             {"bar": "──●────│──", "Value": "●", "Name": "LUN 1.07", "Median": "│", "Text": "worn-out SSD", "text": "muted until 02:00"},
	"server/api/client/top.go":                   {"change": " is over"},
	"server/console/web/src/App.svelte":          {"view": "incidentz", "limpet": "1.0", "name": "storage of site A"},
	"server/console/web/src/lib/incident.ts":     {"MOST_CHANCE_YEARS": "1,000", "often": "a healthy component would look like this once in 3 years"},
	"server/console/web/src/lib/time.ts":         {"unix": "2026-03-14|02:00", "minutes": "12"},
	"server/console/web/src/parts/Bar.svelte":    {"sick": "23", "active": "3"},
	"server/console/web/src/parts/Card.svelte":   {"todo": "Check the drives of LUN 1.07 on its controller for media errors"},
	"server/console/web/src/views":               {"priority": " (primary)", "load": "tps", "muted_by": "alice", "ending": "resolved by an operator", "explanation": "workload", "section": "muted", "sick": "fs3 late", "kind": "path", "limpet": "1.0"},
	"server/handler/incidents.go":                {"shown": "6"},
	"server/serve/config/alerts.go":              {"Least": "urgent", "To": "1", "Base": "url_file"},
	"server/serve/config/parse.go":               {"to": "limpet.example"},
	"server/serve/tell.go":                       {"name": "webhook 1"},
	"server/serve/console.go":                    {"name": "alice", "User": "alice"},
	"server/handler/router.go":                   {"Name": "alice", "name": "alice"},
	"server/handler/parameters.go":               {"of": "newest or oldest"},
	"study/figure_text.go":                       {"Digits": "1.5|2.4", "digits": "1.5|2.4"},
	"study/render/diff.go":                       {"Unsure": "there are too few values", "Lone": "slow hours of MLC drives"},
	"study/render/diff_text.go":                  {"text": "one result covers more time than the other"},
	"study/render/number.go":                     {"Unsure": "there are too few values", "Text": "1.5 %|2.4 %"},
	"study/render/text.go":                       {"capital": "Disks"},
	"study/source/description_files.go":          {"Strange": "readme.txt"},
	"study/source/survey.go":                     {"placed": "fleet.csv, line 12: the time is missing"},
	"study/source/warn.go":                       {"…": "fleet.csv"},
	"study/survey/class.go":                      {"Flash": "MLC", "Vendor": "Acme", "phrase": "2.4 % of the drive hours are slow"},
	"study/survey/warn.go":                       {"alone": "", "noun": "disks", "name": " are", "more": "and 3 more"},
}

// byText are examples of values that a table of texts does not name, by what the text is about.
var byText = []struct {
	place, text *regexp.Regexp
	example     string
}{
	about(`alerts\.go`, `(?i)adapters of|drives of .*, and find|network|file server|fans|recorder runs|programs other than clients use the|file system on`, "server fs1"),
	about(`alerts\.go`, `Check the LUN of`, "path 1.07.4"),
	about(`alerts\.go`, `cable, port, zoning`, "path 1.07.4"),
	about(`alerts\.go`, `its power, and its controllers|drawers of|on its controllers: power`, "array ddn1"),
	about(`alerts\.go`, `Check its status and its log`, "controller ddn2a"),
	about(`alerts\.go`, `SMART|programs other than clients`, "drive sdb"),
	about(`source/warn\.go`, `Parquet|no pattern`, "3 files|fleet.csv"),
	about(`source/warn\.go`, `unknown kind`, "3 drives|tape"),
	about(`source/warn\.go`, `"events"`, "3 events|sdq"),
	about(`source/warn\.go`, `.`, "3 drives|sdq"),
}

func about(place, text, example string) struct {
	place, text *regexp.Regexp
	example     string
} {
	return struct {
		place, text *regexp.Regexp
		example     string
	}{regexp.MustCompile(place), regexp.MustCompile(text), example}
}

// parts are examples of the parts that actions name in braces.
var parts = strings.NewReplacer("{osd}", "osd.3", "{member}", "2", "{incident}", "7f3a9c", "{component}", "osd.3", "{device}", "sdb", "{array}", "md0", "{pool}", "tank")

// flagNames are examples of names behind --.
var flagNames = []string{"since", "until"}

// erase is how a program erases a line of the terminal.
var erase = regexp.MustCompile(`^\[K`)

// exemplify gives values the examples of their place.
func (p *Phrase) exemplify() {
	p.Text[0].Text = erase.ReplaceAllString(p.Text[0].Text, "")
	seen, flags := map[string]int{}, 0
	for i := range p.Text {
		s := &p.Text[i]
		if p.Package == "report/action" {
			s.Text = parts.Replace(s.Text)
		}
		if s.Example == "" {
			continue
		}
		example, known := p.valueAt(s.Name)
		switch {
		case known:
			list := strings.Split(example, "|")
			example = list[min(seen[s.Name], len(list)-1)]
			seen[s.Name]++
		case i > 0 && strings.HasSuffix(p.Text[i-1].Text, "--") && strings.HasPrefix(s.Example, "fs"):
			example = flagNames[min(flags, len(flagNames)-1)]
			flags++
		default:
			continue
		}
		if strings.HasPrefix(s.Example, `"`) {
			example = strconv.Quote(example)
		}
		s.Example = example
	}
}

// valueAt returns the example of a value by the name that the source has for it.
func (p *Phrase) valueAt(name string) (string, bool) {
	file := p.Package + "/" + p.File
	if name == "…" {
		for _, b := range byText {
			if b.place.MatchString(file) && b.text.MatchString(p.Own()) {
				return b.example, true
			}
		}
	}
	for _, place := range []string{file + " " + p.Function, file} {
		if example, known := exampleAt(place, name); known {
			return example, true
		}
	}
	for folder := p.Package; folder != ""; {
		if example, known := exampleAt(folder, name); known {
			return example, true
		}
		at := strings.LastIndex(folder, "/")
		if at < 0 {
			break
		}
		folder = folder[:at]
	}
	return "", false
}

// exampleAt returns the example that a place has for a name.
func exampleAt(place, name string) (string, bool) {
	if example, known := valuesAt[place][name]; known {
		return example, true
	}
	example, known := valuesOfData[place][name]
	return example, known
}
