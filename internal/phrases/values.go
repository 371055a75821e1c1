package phrases

import (
	"regexp"
	"strconv"
	"strings"
)

// valuesAt holds examples of values by place and by the name of the value in the source. It is for
// names that alone would give a wrong example. A place is a package, a file, or a file and a
// function; the longest place that fits is used. A bar separates the examples of several values
// with the same name.
var valuesAt = map[string]map[string]string{
	"cmd/limpet/raid_control.go printServed": {"maskText": "masked by alice since 02:00", "name": "/dev/sdh", "Array": "1f8b2c"},
	"server/console/web/src/parts/Actions.svelte": {
		"text": "let other OSDs answer the reads of osd.3", "command": "ceph osd primary-affinity osd.3 0", "id": "17", "approved_by": "alice", "undo_by": "bob", "state": "Done, and users wait less:", "reason": "the action helped", "trouble": "users wait less than before", "component": " on osd.3",
	},
	"live/action": {
		"err":  "ssh: no route to host",
		"What": "let other OSDs answer the reads of osd.3", "Command": "ceph osd tree", "Wants": "the primary_affinity of osd.3 is 1", "Normal": "the primary_affinity of osd.3 is 1",
		"Masked": "the primary_affinity of osd.3 is 0", "Refused": "muted", "Do": "ceph osd out osd.3", "UndoBy": "alice", "Undo": "ceph osd primary-affinity osd.3 1", "ID": "12", "id": "12",
		"Component": "osd.3", "unknown": "osd.9", "Fields": "osd.3 up 1.0", "printed": "; output: osd.3 up 0.5", "State": "watching", "Reason": "the action did not help", "Action": "12",
		"…": "24.1 ms|6.68 ms", "trouble": "the ledger cannot be written", "File": "/etc/passwd",
	},
	"live/cluster/worker.go run":                {"err": "the lease of partition 3 is lost"},
	"live/alert":                                {"err": "connection refused"},
	"report/page":                               {"err": "there are no x values"},
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
	"report/sentence/load.go loadHeadline":      {"Quantity": "24.1 ms|20.9 ms|3.2 ms|3.1 ms"},
	"report/sentence/limits.go waitsAt":         {"Quantity": "24.1 ms|1.2 ms"},
	"live/cluster/bus/jetstream/connect.go":     {"what": "the leases"},
	"live/action/advance.go advance":            {"State": "undone"},
	"lab/evaluate/experiments_report.go":        {"Name": "ITP"},
	"lab/evaluate/experiments.go":               {"Run": "r1-012"},
	"lab/evaluate/evaluate.go IndictingMethod":  {"name": "l13"},
	"lab/testbed/bench/run.go":                  {"Name": "r1-012|run.log"},
	"lab/simulate/arrays/events.go mechanism":   {"name": "gremlins"},
	"lab/simulate/arrays/events.go checkKeys":   {"name": "server down"},
	"lab/simulate/arrays/mechanisms.go names":   {"known": "6.00|7.23", "name": "9.99", "kinds": "LUN"},
	"lab/simulate/arrays/mechanisms.go of":      {"name": "ddn99", "Arrays": "ddn6|ddn21"},
	"raid/replay/trace_reader.go":               {"name": "trace.csv"},
	"raid/replay/delay_quantiles.go":            {"name": "slow.csv", "slowdown": "12x", "share": "12x"},
	"live/cluster/plan/agree.go":                {"system": "9ae25669", "Topology": "948fb423"},
	"report/sentence/limits.go roomOf":          {"Digits": "1200|40000", "sizeOf": "12 GB|400 GB"},
	"report/sentence/limits.go limitFacts":      {"Digits": "1200|40000|3", "sizeOf": "12 GB|400 GB"},
	"cmd/limpet": {
		"Text": "the files of fs3 have no disk data", "w": "the files of fs3 have no disk data", "FormatBytes": "512M|64M", "roots": "/data/tools", "CommandPath": "limpet diagnose",
		"inUnits": "24.1 GiB", "page": "limpet-demo/report.html", "near": "topology", "tables": "sar", "What": "a result of limpet study", "Give": "give this file with --study",
	},
	"cmd/limpet/backup.go":                       {"FormatBytes": "1048576", "path": "limpet.tar", "Server": "127.0.0.1:9714"},
	"cmd/limpet/demo.go":                         {"Text": "the drives of LUN 1.07 take 3 times as long for a request", "dir": "limpet-demo/topology.yaml|limpet-demo/activity", "files": "limpet-demo/activity", "page": "limpet-demo/report.html"},
	"cmd/limpet/demo_live.go":                    {"Text": "At 2026-03-01 01:58Z: nothing limps", "Format": "02:00", "Change": "opened"},
	"cmd/limpet/demo_live.go sayEvent":           {"Text": slowLUN},
	"cmd/limpet/demo_live.go recordLive":         {"Text": "the drives of LUN 1.07 take 3 times as long for a request"},
	"cmd/limpet/diagnose.go":                     {"orders": "worst or newest", "order": "oldest"},
	"cmd/limpet/diagnose_hosts.go":               {"text": "fs3.sa ends inside a record", "err": "/data/hosts: none of 4 files has data since 2026-04-02 00:00:00Z"},
	"cmd/limpet/diagnose_notice.go":              {"err": "the pattern \"sd[\" has a [ without a ]"},
	"cmd/limpet/dump.go":                         {"p": "latency|waits"},
	"cmd/limpet/errors.go":                       {"text": "report.html cannot be written: no space left on device"},
	"cmd/limpet/errors.go reworded":              {"Path": "/var/log/sysstat"},
	"cmd/limpet/evaluate.go":                     {"args": "tesbench", "name": "limpet evaluate testbench", "CommandPath": "limpet evaluate testbench"},
	"cmd/limpet/evaluate.go noArguments":         {"Name": "testbench"},
	"cmd/limpet/evaluate_incidents.go":           {"Experiments": "events, concurrent or quiet"},
	"cmd/limpet/evaluate_recorded.go":            {"from": "disks", "rule": "median", "dir": "limpet-testbed"},
	"cmd/limpet/evaluate_sweep.go":               {"args": "smooth", "names": "smooth, k or factor", "SettingNames": "smooth, k or factor"},
	"cmd/limpet/evaluate_truth.go":               {"clusters": "cluster_A and cluster_B"},
	"cmd/limpet/excerpt.go":                      {"err": "the pattern \"fs[\" has a [ without a ]"},
	"cmd/limpet/flags.go unknownFlag":            {"Repeat": "--", "text": "--why shows all components and all evidence, --list shows a list for each hour", "name": "topolgy", "near": "topology", "flag": "--verbose"},
	"cmd/limpet/flags.go flagError":              {"name": "why", "Name": "why", "GetValue": "maybe"},
	"cmd/limpet/demo.go explain":                 {"dir": "limpet-demo"},
	"cmd/limpet/incidents.go idWithoutText":      {"Name": "comment|comment", "args": "7f3a9c21"},
	"cmd/limpet/incidents.go newOperatorCommand": {"example": "mute ec082432 --until 3d", "verb": "comment"},
	"cmd/limpet/main.go printError":              {"text": "limpet has no command \"diagnos\""},
	"cmd/limpet/serve.go listens":                {"Bound": "http://127.0.0.1:9714"},
	"server/serve/prepare.go checkListen":        {"socket": "/run/limpet/limpet.sock"},
	"server/access/address.go CheckAddress":      {"port": "99999"},
	"cmd/limpet/main.go unknown":                 {"near": "diagnose", "name": "diagnos", "noun": "command", "CommandPath": "limpet"},
	"cmd/limpet/main.go paths":                   {"what": "activity files, a directory of activity files, or --store URL"},
	"cmd/limpet/manual.go":                       {"text": "yesterday"},
	"cmd/limpet/outputs.go":                      {"other": "html", "flag": "csv", "path": "report.html"},
	"cmd/limpet/outlook.go":                      {"file": "fleet.json", "err": "open fleet.json: permission denied"},
	"cmd/limpet/progress.go":                     {"what": "simulating and diagnosing runs"},
	"cmd/limpet/presets.go":                      {"name": "iostatt", "err": "no such file or directory"},
	"cmd/limpet/presets.go tablesDirectory":      {"name": "data"},
	"cmd/limpet/policy.go":                       {"err": "open policy.yaml: permission denied"},
	"cmd/limpet/raid_open.go":                    {"texts": "normal, reactive, proactive1, proactive2, adaptive, sitout, hedge", "err": "member 2 (/dev/sdc) does not answer"},
	"cmd/limpet/raid_scratch.go":                 {"there": "/mnt/scratch/d0", "absent": "/mnt/scratch/d1", "err": "d0: the file system has too little free space: the files need 4096 bytes, but only 2048 bytes are free"},
	"cmd/limpet/raid_serve.go":                   {"client": "127.0.0.1:41822", "text": "the array is degraded", "uri": "nbd+unix:///array?socket=/run/a.sock", "listen": "127.0.0.1:10809", "name": "array", "path": "/run/a.sock", "err": "member 2 (/dev/sdc) does not answer"},
	"cmd/limpet/raid_serve.go serveMetrics":      {"err": "\"9821x\" is not a port"},
	"cmd/limpet/recognise.go":                    {"File": "data.txt", "path": "data.txt", "noun": "topology file", "what": "a CSV table", "name": "ceph osd perf"},
	"cmd/limpet/serve.go":                        {"DefaultListen": "127.0.0.1:9714", "text": "the topology was read again", "path": "limpet.yaml", "File": "limpet.yaml", "err": "line 12: the setting \"state\" is missing"},
	"cmd/limpet/simulate.go":                     {"diagnose": "limpet diagnose", "dir": "run", "truth": "run/truth.yaml", "topology": "run/topology.yaml", "files": "run/activity", "list": "run/truth.yaml"},
	"cmd/limpet/simulate.go newSimulate":         {"args": "intrepd"},
	"cmd/limpet/simulate_fleet.go":               {"start": "31.1.2026", "dir": "fleet"},
	"cmd/limpet/simulate_intrepid.go":            {"start": "9.5.2011", "name": "days"},
	"cmd/limpet/simulate_testbench.go":           {"texts": "disk-hog, disk-busy or send-pktloss", "start": "9.5.2011", "name": "strength", "volumes": "sharded, replicated or ec"},
	"cmd/limpet/store.go":                        {"args": "/var/log/sysstat", "dir": "/tmp/limpet-store", "err": "open store.yaml: no such file or directory"},
	"cmd/limpet/study.go":                        {"missing": "2026-03-14.parquet", "args": "fleet", "zone": "Berlin"},
	"cmd/limpet/study_records.go":                {"paths": "/var/log/sysstat", "rowsLine": "reading records … 24.1 M rows, 6.68 M rows/s", "line": "reading records … 24.1 M rows, 6.68 M rows/s", "err": "fleet.csv has no column \"drive\""},
	"cmd/limpet/study_rows.go":                   {"name": "kind", "kind": "tape", "names": "await, r_await and w_await"},
	"cmd/limpet/study_clickhouse.go":             {"name": "table"},
	"cmd/limpet/table_times.go":                  {"dates": "year-first", "err": "time zone \"Berlin\" is unknown"},
	"cmd/limpet/topology_check.go":               {"path": "site.yaml", "file": "site.yaml"},
	"cmd/limpet/topology_import.go":              {"output": "site.yaml", "Refused": "this is a manual page; give the output of the tool", "File": "tools/README", "source": "12 files", "err": "line 12: the setting \"servers\" is missing", "host": "([a-z]+)/([a-z]+)"},
	"cmd/limpet/train.go":                        {"model": "day.json", "page": "day.html"},
	"cmd/limpet/version.go":                      {"Go": "go1.26", "Version": "1.0"},
	"cmd/limpet/witness.go readBounded":          {"most": "67108864", "mostWitness": "67108864"},
	"cmd/limpet/witness.go":                      {"file": "dmesg.txt", "err": "open dmesg.txt: permission denied"},
	"cmd/limpet-record":                          {"Get": "1.0", "value": "maybe", "name": "once", "DefValue": "1s", "run": "no directory is given for the recorded files: name a directory", "err": "--interval must be a time between 1s and 1h, not \"0\"", "Arg": "now"},
	"cmd/limpet-testbed":                         {"GOOS": "darwin", "command": "hog", "arguments": "a mode and an address", "Format": "02:00", "Round": "312", "Seconds": "312", "err": "bin/limpet-record: no such file or directory"},
	"cmd/limpet-testbed/main.go describe":        {"Name": "r1-012", "Volume": "replicated", "Workload": "dd-w", "Congestion": "cubic", "DiskBytes": "120", "LinkMbit": "1000", "Fault": "disk-busy", "Servers": "fs1", "Strength": "24", "Unit": "requests at once", "text": "run r1-012: volume replicated, workload dd-w with 3 streams, congestion control cubic, disks of 120 MB/s, links of 1000 Mbit/s"},
	"cmd/limpet-testbed/record.go perform":       {"describe": "run r1-012, fault disk-busy at fs1", "verdict": "recorded", "took": "312"},
	"cmd/limpet-testbed/record.go missing":       {"system": "ceph", "dir": "limpet-testbed", "path": "limpet-testbed/truth.csv", "System": "ceph"},
	"cmd/limpet-testbed/record.go failures":      {"names": "r1-012 and r1-017", "failed": "r1-012 and r1-017"},
	"cmd/manual/page.go defaultOf":               {"names": "text", "DefValue": "text", "list": "text"},
	"internal/bounded/bounded.go":                {"Text": "0", "Low": "1", "High": "100", "Unit": " days", "Is": "a number", "Example": " (such as 30)"},
	"internal/bounded/readfile.go":               {"FormatBytes": "1048576"},
	"internal/bounds/bounds.go":                  {"nameOf": "workers", "parts": "above 0 and at most 1"},
	"internal/extsort":                           {"NoSpace": "free some space, or set TMPDIR to another directory", "err": "no space left on device"},
	"internal/post":                              {"shown": "https://alerts.example.net", "StatusText": "Service Unavailable", "Moved": "https://alerts2.example.net", "Target": "https://alerts.example.net", "CertFile": "cert.pem", "KeyFile": "key.pem", "file": "/etc/limpet/secret", "err": "the private key does not match the certificate"},
	"internal/post/post.go trusted":              {"file": "site.pem", "path": "site.pem"},
	"internal/paths":                             {"text": "{host/*.csv", "pattern": "{host/*.csv", "err": "syntax error in pattern"},
	"internal/version":                           {"Go": "go1.26", "Version": "1.0"},
	"internal/yamlfile":                          {"Value": "base", "suggest": "did you mean \"zones\"?", "nearest": "zones", "usual": "true", "other": "false", "what": "an entry of arrays", "problem": "line 12: found a tab"},
	"internal/yamlfile/decoder.go Choice":        {"text": "yess"},
	"internal/yamlfile/suggest.go":               {"known": "\"name\", \"servers\" and \"luns\"", "names": "\"name\", \"servers\" and \"luns\""},
	"internal/yamlfile/syntax.go":                {"text": "mapping values are not allowed here", "said": "mapping values are not allowed here"},
	"internal/outfile/target.go":                 {"path": "/tmp/report.html", "dir": "/tmp/report.html|/tmp"},
	"internal/outfile/target.go openFIFO":        {"Err": "the command was interrupted"},
	"internal/outfile/own_directory.go checkDir": {"err": "every user may write to the file or directory"},
	"internal/outfile/outfile.go writeThrough":   {"Err": "the command was interrupted"},
	"internal/outfile":                           {"path": "report.html", "err": "permission denied", "name": "/tmp/limpet"},
	"internal/listener":                          {"err": "too many open files", "hint": ": increase the limit of open files, or close connections"},
	"internal/sqlfile":                           {"path": "/backup/ledger.sqlite", "err": "no space left on device", "named": "no space left on device"},
	"internal/sqlfile/write.go":                  {"err": "the file is damaged"},
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
	"live/cluster":                               {"err": "NATS does not answer", "Task": "partition 3", "late": "partition 3", "r": "reader", "UTC": "2026-03-14 02:00"},
	"live/cluster/bus/jetstream":                 {"redacted": "nats://nats1:4222", "URLs": "nats://nats1:4222", "ConnectedUrlRedacted": "nats://nats2:4222"},
	"live/history":                               {"bare": "permission denied", "Path": "2026-03-14.seg"},
	"live/journal":                               {"f": "3 components and 2 metrics", "Form": "3 components and 2 metrics", "form": "3 components and 2 metrics", "now": "5 components and 2 metrics", "path": "log.000012", "format": "log.000012"},
	"live/ledger":                                {"Beginning": "7f", "IDs": "7f3a9c21 and 7f55e0"},
	"live/top/print.go":                          {"source": "this machine", "Text": slowLUN, "change": " is over"},
	"live/top/print.go sentence":                 {"Text": "sdb"},
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
	"report/action/drivers.go":                   {"quote": "writemostly|/sys/block/md0/md/dev-sdb/state", "Join": "ceph osd tree"},
	"report/action/policy.go":                    {"p": "osd[", "what": "a kind of storage", "words": "ceph, md, zfs or multipath", "text": "cephfs"},
	"report/action/policy.go mode":               {"text": "always"},
	"report/action/policy.go hours":              {"text": "22-6"},
	"report/outcome":                             {"about": "fs9", "About": "fs3", "What": slowLUN, "Tier": "LUN", "Name": "1.07", "Fold": "fs[1-8]", "oldestVersion": "1", "version": "2"},
	"report/page/dots.go":                        {"say": "1.8|4.1"},
	"report/page/assets/page.js":                 {"value": "1 of 12"},
	"report/heatmap":                             {"lastLevel": "4"},
	"report/ranking/text.go":                     {"Sure": "seen again: in 3 of 8 outputs", "LookReason": "the component has more work than its peers (requests a second 120, peers 40): this can explain the difference", "host": "server fs1", "name": "server fs1", "group": "server fs1", "Kind": "drive"},
	"report/sentence/action.go":                  {"Text": "the incident is muted.", "Command": "ceph osd primary-affinity osd.3 0", "Wants": "the command succeeds", "Undo": "ceph osd primary-affinity osd.3 1", "Tier": "server", "Missing": "device", "Storage": "zfs", "Redundancy": "raidz2", "either": "relieve or take out", "Refused": "at once", "Hours": "22:00-06:00 UTC", "part": "osd.3", "group": "pool tank", "on": " on osd.3", "Group": "pool tank", "Name": "raid6"},
	"report/sentence/action.go Lines":            {"why": "the incident is muted.", "Text": "let other OSDs answer the reads of osd.3", "Command": "ceph osd primary-affinity osd.3 0"},
	"report/sentence/action.go refusal":          {"Name": "fs1", "KindName": "lost paths", "Kind": "slow drive", "Digits": "1.5"},
	"report/sentence/alerts.go":                  {"…": "LUN 1.07", "sharedBy": "controller ddn2a and drawer 2", "noun": "await"},
	"report/sentence/alerts.go against":          {"peers": "6.68 ms|its peers"},
	"report/sentence/service.go":                 {"KindName": "slow drive", "Other": "s2/sdb", "milliseconds": "24.1 ms|6.68 ms", "Name": "osd.3"},
	"report/sentence/because.go":                 {"why": "sa05: the file ends inside a record", "withIts": "its 31 peers", "peers": "6.68 ms", "names": "LUNs 1.07 and 1.08", "metrics": "svctm and avgqu-sz", "Name": "await", "label": "await"},
	"report/sentence/because.go withIts":         {"peers": "15 peers"},
	"report/sentence/because.go compared":        {"withIts": "its 15 peers", "Name": "await|primary", "measure": "24.1 ms|6.68 ms"},
	"cmd/limpet/raid_replay.go withHint":         {"err": "the replay needs more than the memory limit", "advice": "shorten the trace", "hint": "shorten the trace", "cure": "shorten the trace"},
	"cmd/limpet/raid_rebuild.go":                 {"err": "member 3 (/dev/sdd) cannot be read"},
	"cmd/limpet/raid_rebuild.go parse":           {"text": "R"},
	"cmd/limpet/raid_control.go jobText":         {"Err": "member 2 (/dev/sdc) does not answer"},
	"cmd/limpet/raid_control.go":                 {"err": "too many open files", "path": "/dev/sdh"},
	"cmd/limpet/raid_copy.go":                    {"err": "member 2 (/dev/sdc) does not answer"},
	"cmd/limpet/raid_create.go":                  {"err": "d0: the file system has too little free space: the files need 4096 bytes, but only 2048 bytes are free", "Array": "1f8b2c"},
	"cmd/limpet/raid_mask.go":                    {"texts": "sit-out, last or hedge", "How": "sit-out", "By": "alice", "Why": "12 times slower"},
	"cmd/limpet/raid_delay.go":                   {"path": "fleet.json", "text": "often", "delay": "often", "from": "often"},
	"cmd/limpet/raid.go":                         {"args": "creat"},
	"cmd/limpet/act.go newActOn":                 {"verb": "approve"},
	"cmd/limpet/act.go newActSwitch":             {"verb": "stop"},
	"cmd/limpet/check.go":                        {"text": "journal/log.000012: the checksum is wrong", "sayError": "the ledger /var/lib/limpet/ledger.sqlite is missing"},
	"report/sentence/because.go Because":         {"Name": "fs1", "score": "3.2 times its peers' value", "threshold": "1.5"},
	"report/sentence/headline.go":                {"whose": "the", "who": "server fs1", "noun": "reads", "own": "66.6 MB/s", "peers": "38.4 MB/s"},
	"report/sentence/headline.go stalled":        {"who": "array 1"},
	"report/sentence/limits.go":                  {"pauseCauses": "all tasks waited for memory", "sizeOf": "12 GB|400 GB"},
	"report/sentence/look.go":                    {"s": "persists", "value": "120", "beside": "requests a second 120, peers 40", "Object": "osd.3", "To": "fs2", "From": "fs1", "when": " since map 3", "Kind": "drives"},
	"report/sentence/look.go LookPeers":          {"LookValue": "4.66 ms"},
	"report/sentence/look.go LookFinding":        {"Kind": "drives"},
	"report/sentence/nothing.go NothingBecause":  {"warning": "site.yaml:3: the names of drives do not fit the data"},
	"report/outcome/about.go Check":              {"near": "1.07", "Join": "servers fs[1-8]; arrays ddn[1-2]", "about": "fs9", "String": "fs9", "Fold": "fs[1-8]"},
	"report/sentence/nothing.go":                 {"FoldFew": "fs3 and fs4", "whys": "the records of fs3 cover 4 s, less than one time step of 15 s"},
	"report/sentence/remark.go":                  {"Symptom": "longer waits for their drives", "FoldSorted": "fs3 and fs4", "FoldFew": "fs3 and fs4", "why": "the records of fs3 cover 4 s, less than one time step of 15 s", "text": "There are no data of fs3 and fs4", "list": "fs3 and fs4"},
	"report/sentence/remark.go Silences":         {"text": "There are no data of fs3 and fs4 after 02:00"},
	"report/sentence/ruledout.go":                {"doubts": "the server does only a little more disk work than its peers"},
	"report/sentence/steps.go":                   {"WWN": "naa.5000c500a1b2c3d4", "facts": "server fs1, slot 7", "Group": "pool tank", "Name": "raid6", "Source": "The Tail at Store, FAST 2016"},
	"report/sentence/steps.go waiting":           {"": "The Tail at Store, FAST 2016", "source": "The Tail at Store, FAST 2016", "Of": "The Tail at Store, FAST 2016"},
	"report/sentence/steps.go located":           {"what": "The component is", "slot": "7", "Slot": "7", "Enclosure": "2", "Drawer": "2", "Array": "ddn1", "Serial": "ZA1B2C3D"},
	"report/sentence/summary.go":                 {"Placed": "LUN 1.07", "Text": "ordered a drive", "what": "new incident", "said": slowLUN, "Name": "await"},
	"report/sentence/witness.go":                 {"text": "SMART data and kernel logs: server fs1: 3 media errors of sdb"},
	"report/sentence/writer.go":                  {"Placed": "LUN 1.07", "names": "fs1 and fs2"},
	"report/sentence/past.go sincePast":          {"Name": "await", "Quantity": "12 days", "Digits": "120|40|81", "measure": "24.1 ms|6.68 ms"},
	"server/access/users.go":                     {"name": "alice"},
	"server/access/users.go proxy":               {"text": "10.0.0.300", "prefix": "0.0.0.0/0"},
	"server/access/users.go header":              {"name": "Host", "text": "X Remote"},
	"server/access/users.go tokenFile":           {"maxTokenBytes": "4096", "leastToken": "16", "minTokenBytes": "16", "err": "open token: permission denied"},
	"server/access/users.go roles":               {"text": "admin"},
	"server/access/address.go":                   {"address": "0.0.0.0:9714"},
	"server/access/tls.go":                       {"CertificateFile": "cert.pem", "KeyFile": "key.pem", "err": "the private key does not match the certificate", "name": "cert.pem", "path": "cert.pem", "file": "cert.pem", "ClientCAFile": "clients.pem"},
	"server/api/client":                          {"FormatBytes": "1048576", "Server": "127.0.0.1:9714", "server": "127.0.0.1:9714", "err": "the connection was closed"},
	"server/api/client/errors.go":                {"Text": "the request has no login", "Name": "limpet.exampel.net"},
	"server/api/client/incidents.go Until":       {"text": "2020-01-01"},
	"server/api/client/incidents.go Done":        {"Text": "worn-out SSD"},
	"server/api/client/text.go Show":             {"bar": "──●────│──", "Value": "●", "Name": "LUN 1.07", "Median": "│", "Text": "worn-out SSD", "text": "muted until 02:00"},
	"server/api/client/top.go":                   {"change": " is over"},
	"server/api/client/actions.go":               {"ID": "17", "Note": "the newest data are 5 min old", "quoted": " (reason: \"maintenance until noon\")", "Text": "let other OSDs answer the reads of osd.3", "Component": "osd.3", "Why": "osd.3 answers 3.2 times slower than its peers", "Incident": "7f3a9c21", "orDash": "7f3a9c21", "Command": "ceph osd primary-affinity osd.3 0", "Undo": "ceph osd primary-affinity osd.3 1", "State": "watching", "over": "3"},
	"server/api/client/actions.go quoted":        {"text": "maintenance until noon"},
	"server/api/client/client.go address":        {"Server": "limpet:", "text": "limpet:", "server": "limpet:"},
	"server/api/client/client.go":                {"err": "open site.pem: permission denied", "CAFile": "site.pem", "path": "password.txt"},
	"server/console/web/src/App.svelte":          {"view": "incidentz", "limpet": "1.0", "name": "storage of site A"},
	"server/console/web/src/lib/incident.ts":     {"MOST_CHANCE_YEARS": "1,000", "often": "a healthy component would look like this once in 3 years"},
	"server/console/web/src/lib/time.ts":         {"unix": "2026-03-14|02:00", "minutes": "12"},
	"server/console/web/src/lib/latency.ts":      {"width": "5 ms to 10 ms"},
	"server/console/web/src/parts/Bar.svelte":    {"sick": "23", "active": "3", "trouble": "The server does not answer."},
	"server/console/web/src/parts/Card.svelte":   {"todo": "Check the drives of LUN 1.07 on its controller for media errors"},
	"server/console/web/src/parts":               {"trouble": "The server does not answer."},
	"server/console/web/src/views":               {"priority": " (primary)", "load": "tps", "muted_by": "alice", "ending": "resolved by an operator", "explanation": "workload", "section": "muted", "sick": "fs3 late", "kind": "path", "limpet": "1.0", "grouping": "array and model", "trouble": "No component has this name.", "sickest": "fs3 late, fs4 silent"},
	"server/console/web/src/views/Now.svelte":    {"maybe": "2 suspects", "text": "the ledger cannot be written"},
	"server/handler/incidents.go":                {"shown": "6"},
	"server/handler/incidents.go noIncident":     {"id": "7f3a"},
	"server/serve/config/alerts.go":              {"Least": "urgent"},
	"server/serve/config/receivers.go":           {"To": "1", "Base": "url_file"},
	"server/serve/config/parse.go":               {"to": "limpet.example"},
	"server/serve/config/parse.go ending":        {"written": "3h|2h|3h|2h", "byDefault": " by default"},
	"server/serve/receivers.go":                  {"name": "webhook 1", "err": "open /etc/limpet/secret: permission denied", "Name": "webhook 1"},
	"server/serve/console.go":                    {"name": "alice", "User": "alice"},
	"server/serve/reload.go":                     {"what": "diagnosis", "err": "site.yaml: line 12: the setting \"servers\" is missing"},
	"server/serve/reload.go reloadAlerts":        {"err": "no space left on device"},
	"server/serve/reload.go Backup":              {"err": "no space left on device"},
	"server/serve/reload.go loadTopology":        {"w": "site.yaml:3: the names of drives do not fit the data", "String": "site.yaml:3: the names of drives do not fit the data"},
	"server/serve/act.go":                        {"name": "policy.yaml", "path": "policy.yaml", "Policy": "policy.yaml"},
	"server/serve/once.go":                       {"Trouble": "the connection was refused"},
	"server/serve/service.go":                    {"err": "too many open files"},
	"server/serve/result.go troubles":            {"ID": "17", "Component": "osd.3", "Trouble": "the command did not answer"},
	"server/handler/router.go":                   {"Name": "alice", "name": "alice", "path": "/api/v1/incidents", "v": "index out of range"},
	"server/handler/parameters.go":               {"of": "newest or oldest", "part": "component", "name": "limit", "takes": "the URL takes limit, from and to"},
	"server/handler/parameters.go One":           {"name": "order"},
	"server/handler/parameters.go Some":          {"name": "order"},
	"server/handler/parameters.go Time":          {"name": "from"},
	"server/handler/plots.go":                    {"component": "osd.99"},
	"server/handler/actions.go actOn":            {"Verb": "approve"},
	"server/handler/actions.go actionRequest":    {"Verb": "destroy", "known": "approve, refuse, undo"},
	"server/handler/actions.go switchActions":    {"Verb": "stop"},
	"server/handler/actions.go noAction":         {"id": "99"},
	"server/handler/answer.go":                   {"err": "unknown field \"txt\""},
	"server/handler/change.go check":             {"Verb": "fix", "Name": "osd.99"},
	"server/handler/change.go noted":             {"err": "no space left on device", "lost": "no space left on device"},
	"server/handler/change.go outcomeOf":         {"Text": "action 17 is not waiting for approval"},
	"server/handler/components.go":               {"name": "osd.99", "Group": "99", "group": "99"},
	"server/handler/handler.go":                  {"name": "latency", "metric": "latency", "names": "await, tps, rd_sec", "list": "await, tps, rd_sec", "known": "await, tps, rd_sec"},
	"server/handler/server.go":                   {"err": "address 127.0.0.1:9714 is already in use", "path": "/run/limpet.sock"},
	"study/figure_text.go":                       {"Digits": "1.5|2.4", "digits": "1.5|2.4", "text": "1", "Text": "1.5 %|2.4 %", "Words": "1.5 percentage points lower|2.4 percentage points higher"},
	"study/figure_text.go Say":                   {"between": "1.5 % to 2.4 %", "text": "2.4 % of the drive hours of disks are slow (1.5 % to 2.7 %)"},
	"study/render/diff.go":                       {"Unsure": "there are too few values", "Lone": "slow hours of MLC drives"},
	"study/render/diff.go warnings":              {"a": "2 and 4", "b": "2"},
	"study/render/diff.go Sentence":              {"betweenText": "1.5 percentage points lower to 2.4 percentage points higher"},
	"study/render/diff_text.go":                  {"text": "one result covers more time than the other", "span": "2026-03-14 02:00 to 2026-06-09 02:00 UTC (87 days)"},
	"study/render/diff_page.go":                  {"Names": "april.json|may.json", "names": "april.json|may.json", "span": "2026-03-14 02:00 to 2026-06-09 02:00 UTC (87 days)"},
	"study/render/number.go":                     {"Unsure": "there are too few values", "Text": "1.5 %|2.4 %"},
	"study/render/text.go":                       {"capital": "Disks", "span": "2026-03-14 02:00 to 2026-06-09 02:00 UTC (87 days)"},
	"study/render/chart.go":                      {"x": "2", "threshold": "2", "short": "2"},
	"study/render/label.go":                      {"x": "2", "threshold": "2", "at": "2"},
	"study/render/page.go":                       {"span": "2026-03-14 02:00 to 2026-06-09 02:00 UTC (87 days)"},
	"study/render/pictures.go":                   {"Text": "0.01 %", "low": "0.01 %", "Value": "●", "Band": "─", "Median": "│"},
	"study/render/json.go":                       {"err": "the file ends early"},
	"study/source/description_files.go":          {"Strange": "readme.txt"},
	"study/source/description_measure.go":        {"text": "hours"},
	"study/source/survey.go":                     {"placed": "fleet.csv, line 12: the time is missing"},
	"study/source/steps.go":                      {"unit": "blocks", "Unit": "blocks", "units": "s, ms or us", "Group": "rack", "group": "rack"},
	"study/source/steps.go bindMetric":           {"name": "await"},
	"study/source/steps.go Fold":                 {"System": "storage of site A", "Name": "storage of site A", "name": "storage of site A"},
	"study/source/warn.go":                       {"…": "fleet.csv"},
	"study/source/warn.go warnRows":              {"what": "inventory", "First": "\"soon\" in column deployed is not a time"},
	"study/source/hours_whole.go":                {"maxRows": "4000000", "drives": "12"},
	"study/source":                               {"path": "fleet.csv", "Path": "fleet.csv", "file": "fleet.csv", "name": "sdq", "paths": "fleet.csv"},
	"study/survey/class.go":                      {"Flash": "MLC", "Vendor": "Acme", "phrase": "2.4 % of the drive hours are slow"},
	"study/survey/warn.go":                       {"alone": "", "noun": "disks", "name": " are", "more": "and 3 more", "quoted": "pulled"},
	"study/clickhouse":                           {"address": "db1:9000|db2:9000", "addr": "db1:9000|db2:9000", "Addr": "db1:9000|db2:9000", "table": "fleet.records", "Table": "fleet.records", "cluster": "storage", "err": "the query was stopped"},
	"study/clickhouse/dsn.go":                    {"err": "the port is missing"},
}

// byText holds examples of values without a name, by words of the text.
var byText = []struct {
	place, text *regexp.Regexp
	example     string
}{
	about(`alerts\.go`, `(?i)adapters of|drives of .*, and find|network|file server|fans|recorder runs|programs other than clients use the|file system on`, "server fs1"),
	about(`alerts\.go`, `Check the LUN of`, "path 1.07.4"),
	about(`alerts\.go`, `cable, port, zoning`, "path 1.07.4"),
	about(`alerts\.go`, `its power, its controllers|drawers of|on its controllers: power`, "array ddn1"),
	about(`alerts\.go`, `Check the status and the log`, "controller ddn2a"),
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

// parts replaces the names in braces that commands of actions contain by examples.
var parts = strings.NewReplacer("{osd}", "osd.3", "{member}", "2", "{incident}", "7f3a9c21", "{component}", "osd.3", "{device}", "sdb", "{array}", "md0", "{pool}", "tank")

// flagNames are examples of the names of flags, which follow "--".
var flagNames = []string{"since", "until"}

// erase matches the code that erases a line of the terminal.
var erase = regexp.MustCompile(`^\[K`)

// exemplify replaces the examples of values by the examples of their place.
func (p *Phrase) exemplify() {
	p.Text[0].Text = erase.ReplaceAllString(p.Text[0].Text, "")
	seen, flags := map[string]int{}, 0
	mine := p.examples()
	for i := range p.Text {
		s := &p.Text[i]
		if p.Package == "report/action" {
			s.Text = parts.Replace(s.Text)
		}
		if s.Example == "" {
			continue
		}
		own := ""
		if len(mine) > 0 {
			own, mine = mine[0], mine[1:]
		}
		example, known := p.valueAt(s.Name)
		switch {
		case own != "":
			example = own
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

// valueAt returns the example of a value by its name in the source, from the longest place that
// fits.
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
