package phrases

import (
	"cmp"
	"go/ast"
	"regexp"
	"strconv"
	"strings"
)

// transparent are functions that return their argument almost unchanged: the name of the argument
// decides about the example.
var transparent = map[string]bool{
	"Join": true, "Itoa": true, "FormatInt": true, "Quote": true, "ToLower": true, "string": true, "TrimSpace": true, "Or": true,
	"Sorted": true, "Clean": true, "max": true, "min": true, "int": true, "int64": true, "float64": true, "Keys": true,
	"TrimPrefix": true, "TrimSuffix": true, "ReplaceAll": true, "ToUpper": true, "Clone": true,
	"Thousands": true, "String": true, "Error": true, "FromSlash": true, "ToSlash": true, "Title": true, "List": true,
}

// keyed are functions that look up a value by a key: the key is the name of the value.
var keyed = map[string]bool{"PathValue": true, "FormValue": true, "Get": true, "Lookup": true, "Getenv": true, "GetString": true}

// examplesOfFunctions holds example results of functions that format numbers, times and names.
var examplesOfFunctions = map[string]string{
	"Times": "3.2 times", "Digits": "24.1", "Seconds": "5 min", "Quantity": "24.1 ms", "Percent": "2.4 %", "percent": "2.4 %",
	"Duration": "5 min", "Bytes": "12 MB", "Base": "sa05", "Dir": "/var/log/sysstat", "Ext": ".txt",
	"minute": "02:00", "Time": "02:00", "Clock": "02:00", "start": "02:00", "Date": "2026-03-14",
	"named": "LUN 1.07", "where": "array 1", "fold": "fs1 and fs2", "names": "1.07 and 1.08", "fold1": "fs1",
	"measure": "24.1 ms", "measured": "await: 24.1 ms, its peers: 6.68 ms", "unit": "LUN", "others": "of the 40 compared LUNs elsewhere, none is", "Name": "fs1", "lossesOf": "the loss of 1 part",
	"Type": "number", "kindOf": "drive", "Status": "503 Service Unavailable", "Version": "1.0", "Addr": "127.0.0.1:9714",
	"Fold": "fs[1-8]", "later": "2026-03-14 08:00", "table": "24.1", "share": "12 %", "Share": "12 %", "Round": "24 s", "pick": "fs1", "utc": "2026-03-14 02:00", "short": "7f3a9c21",
	"Format": "2026-03-14 02:00", "FormatFloat": "24.1", "AppendFloat": "24.1", "Kind": "mapping", "Hex": "1f8b", "EncodeToString": "1f8b", "Position": "line 12", "Pos": "line 12",
}

// anyOf is the example of a list of possible names. If the words of the phrase tell more, refine
// replaces it.
const anyOf = "A, B or C"

// unknown is the example of a value if neither its name nor its type is known.
const unknown = "…"

// countFunctions return a number and a noun: countAre(n, "line").
var countFunctions = map[string]string{"Count": "", "count": "", "plural": "", "countAre": " are", "countHave": " have"}

// inPackages holds examples of values whose name has another meaning in a package and the packages
// below it.
var inPackages = []struct {
	folder   string
	examples map[string]string
}{
	{"lab", map[string]string{"m": "cdf", "key": "factor", "reason": "because of a switch", "why": "because of a switch", "fault": "disk-busy", "short": "24.1", "clock": "24.1 s", "kind": "slow LUN"}},
	{"raid", map[string]string{"kind": "rebuild", "at": "10 min", "from": "20 min", "to": "40 min", "start": "20 min", "first": "12", "name": "d2", "want": "2", "where": "on real drives"}},
	{"raid/policy", map[string]string{"kind": "adaptive", "name": "st"}},
	{"raid/replay", map[string]string{"least": "5ms", "floor": "5ms", "kind": "adaptive", "name": "slow", "share": "0.01", "text": "12x"}},
	{"cmd/limpet", map[string]string{"first": "sa05", "from": "12 files", "kind": "rebuild", "left": "5 min", "build": "go1.26"}},
	{"study/survey", map[string]string{"name": "Acme", "%s": "disks", "fs1": "MLC", "short": "2", "times": "2×", "slow": "2×", "low": "2×", "what": "slow drives"}},
	{"study/render", map[string]string{"reason": "one of the results has no data for this finding", "names": "april.json", "name": "april.json", "subject": "4,000 disks in 400 groups", "all": "4,000 disks"}},
	{"study/clickhouse", map[string]string{"names": "time, drive and await", "kind": "String", "engine": "View"}},
	{"study/source", map[string]string{"key": "pulled", "first": "sa05, line 12", "fresh": "sdb", "where": "/data/2026", "files": "*.parquet", "what": "drives"}},
	{"ingest/tabular", map[string]string{"Format": "%Y-%m-%d %H:%M:%S", "format": "%Y-%m-%d %H:%M:%S", "kind": "gzip"}},
	{"ingest/tables", map[string]string{"key": "group", "names": "time, drive and await", "text": "rack1", "word": "rack1", "value": "rack1", "first": "line 12", "format": "%Y-%m-%d %H:%M:%S", "kind": "gzip", "comment": "await", "files": "*.csv", "where": "/data/2026", "order": "%d/%m/%Y", "many": "are 24 files"}},
	{"ingest/activity", map[string]string{"key": "interfaces", "names": "/var/log/sysstat/sa05", "state": "late", "where": "/var/log/sysstat"}},
	{"ingest/tool", map[string]string{"fields": "12x", "class": "loop", "command": "iostat -x -t 15"}},
	{"ingest", map[string]string{"command": "iostat -x -t 15", "short": "text/plain", "first": "vmagent"}},
	{"topology/site", map[string]string{"description": "Failure", "id": "9000000", "from": "lsblk.txt", "to": "lsblk.txt", "first": "lsblk.txt", "parts": "mmlsnsd", "kind": "ceph", "what": "serial number", "system": "GPFS", "list": "OSD 3 on fs1 and fs2"}},
	{"topology", map[string]string{"key": "sets", "noun": "server", "names": "fs1", "kind": "an array", "label": "[1-8x]", "step": "0"}},
	{"live/top", map[string]string{"short": "24.1", "sinceText": "02:00", "first": "the state is not saved"}},
	{"live/alert", map[string]string{"id": "7f3a9c21/2", "key": "7f3a9c21/2"}},
	{"live/cluster", map[string]string{"Rows": "10 min", "Events": "5 min", "key": "partition 3", "name": "partition 3", "release": "NATS does not answer", "rows": "5 min", "what": "written"}},
	{"live/journal", map[string]string{"what": "a record", "last": "the time steps since the snapshot"}},
	{"engine/command", map[string]string{"fields": "12x"}},
	{"record", map[string]string{"hookkind": "typed tracepoints", "why": "the disk was full", "reason": "the disk was full", "duration": "5", "kind": "gzip", "what": "the record header is damaged", "age": "5", "gap": "5", "late": "5", "shift": "5"}},
	{"server/handler", map[string]string{"names": "limit, from and to", "method": "PUT", "role": "operator", "name": "limit", "kind": "incident"}},
	{"server/serve", map[string]string{"what": "the section \"diagnosis\"", "last": "12x"}},
	{"report/page", map[string]string{"value": "24.1", "label": "await", "name": "await", "title": "Latency", "caption": "Latency", "series": "await", "row": "fs1"}},
	{"report/ranking", map[string]string{"label": "latency"}},
	{"report/sentence", map[string]string{"Why": "same load as its peers", "in": "array 1", "What": "more load", "why": "too few requests to judge", "reason": "too few requests to judge", "kind": "LUN", "label": "await", "zone": "interfaces"}},
	{"server/console", map[string]string{"text": "worn-out SSD", "days": "3", "value": "12", "key": "await", "id": "3", "reason": "too few requests", "why": "too few requests", "fresh": "23", "all": "24", "ms": "24.1 ms", "years": "1,000", "unsure": "there are too few values", "role": "operator", "parts": "2.4 %", "part": "2.4 %", "low": "1.8", "high": "4.1", "lead": "await", "then": " then", "peers": " and 31 % of its peers' requests", "other": "fs2", "evidence": "21.4", "v": "24.1", "members": "12", "noun": "disks", "behind": "3 sources"}},
	{"lab/simulate/arrays", map[string]string{"value": "0", "kinds": "LUN", "name": "9.99", "first": "6.00", "last": "6.71"}},
	{"lab/evaluate", map[string]string{"names": "pvfs-10/10 and lustre-10/10"}},
	{"lab/testbed", map[string]string{"names": "hang or disk-full"}},
	{"record/kernel", map[string]string{"field": "sector", "short": "permission denied"}},
	{"live/top/screen", map[string]string{"names": "none", "sortNames": "differs"}},
	{"report/sentence/missing.go", map[string]string{"what": "interfaces", "key": "interfaces"}},
	{"report/sentence/look.go", map[string]string{"name": "requests a second", "names": "osd.1, osd.4, osd.7", "own": "120", "peers": "40", "Own": "120", "Peers": "40"}},
	{"report/sentence/headline.go", map[string]string{"what": "3 paths", "moved": "; fs7 carries their load"}},
	{"report/sentence/ruledout.go", map[string]string{"shown": "await: 24.1 ms, its peers: 6.68 ms"}},
	{"report/sentence/witness.go", map[string]string{"quiet": ": a sign that the drive is not failing"}},
	{"ingest/tabular/clock_layout.go", map[string]string{"format": "%H:%M"}},
	{"cmd/limpet/store.go", map[string]string{"kind": "remote read"}},
	{"cmd/limpet/simulate_intrepid.go", map[string]string{"incident": "2012-01-01"}},
	{"server/console/web/src/lib/evidence.ts", map[string]string{"low": "5", "high": "95", "value": "5"}},
	{"server/console/web/src/lib/time.ts", map[string]string{"value": "12", "text": "12"}},
	{"live/announce", map[string]string{"kind": "history"}},
	{"ingest/store", map[string]string{"kind": "influx", "key": "latency", "type": "text/html"}},
	{"ingest/activity/missing.go", map[string]string{"names": "cwnd_in and retr_in", "cols": "cwnd_in and retr_in"}},
	{"ingest/intake", map[string]string{"why": "the token is wrong", "reason": "the token is wrong"}},
	{"ingest/remotewrite", map[string]string{"why": "their time is too old", "reason": "their time is too old"}},
	{"internal/bounds", map[string]string{"f": "0", "field": "workers", "name": "workers", "value": "0", "least": "1", "most": "8", "r": "at least 1"}},
	{"internal/paths", map[string]string{"key": "host", "field": "host"}},
	{"internal/sqlfile", map[string]string{"named": "permission denied"}},
	{"internal/version", map[string]string{"short": "9f484f05"}},
	{"ingest/tables/draft.go", map[string]string{"comment": "latencies.csv"}},
	{"live/cluster/bus/jetstream", map[string]string{"what": "the log of rows"}},
	{"cmd/limpet/simulate_fleet.go", map[string]string{"name": "disks"}},
	{"topology/format.go", map[string]string{"subject": "server fs9 is"}},
	{"live/top/screen/view.go", map[string]string{"groupingnames": "none", "ordernames": "differs"}},
	{"server/handler/router.go", map[string]string{"allowed": "GET or HEAD"}},
	{"server/serve/result.go", map[string]string{"whys": "3 samples arrived too late", "why": "samples arrived too late"}},
	{"raid/assemble.go", map[string]string{"order": "d0 d1 d2 d3 p q"}},
	{"study/render/diff.go", map[string]string{"a": "10 %", "b": "20 %", "phrase": "of the disks were slow (2× or more) in at least one hour"}},
	{"cmd/manual", map[string]string{"names": "text"}},
	{"lab/simulate/parse.go", map[string]string{"section": "faults"}},
	{"lab/testbed/system.go", map[string]string{"names": "gluster or ceph", "text": "lustre", "name": "lustre", "system": "lustre"}},
	{"lab/testbed/fault.go", map[string]string{"text": "disk-slow", "name": "disk-slow"}},
	{"internal/state", map[string]string{"what": "components"}},
	{"internal/yamlfile", map[string]string{"begin": "name: gpfs", "what": "an entry of arrays", "first": "name: gpfs"}},
	{"internal/bounded", map[string]string{"what": "a topology file", "sizeText": "4 MiB"}},
}

// inPackage returns the example that a package has for a name; empty if it has none. If several
// folders match, it uses the deepest one.
func inPackage(pkg, name string) string {
	example, deepest := "", 0
	for _, p := range inPackages {
		known := cmp.Or(p.examples[name], p.examples[strings.ToLower(name)])
		if (pkg == p.folder || strings.HasPrefix(pkg, p.folder+"/")) && len(p.folder) > deepest && known != "" {
			example, deepest = known, len(p.folder)
		}
	}
	return example
}

// numbers and texts hold an example for each ending of a name: a value whose name ends with "bytes"
// is 4096. If several endings match, the longest ending is used.
var numbers = map[string]string{
	"": "3", "line": "12", "bytes": "4096", "size": "4096", "length": "4096", "port": "9714", "year": "2026", "status": "503", "code": "503", "version": "4",
	"percent": "12", "seconds": "300", "hours": "36", "days": "87", "minutes": "10", "ms": "24.1", "times": "3.2", "ratio": "3.2", "share": "0.12",
	"offset": "81920", "block": "2048", "sector": "4096", "chunk": "12", "stripe": "7", "member": "2", "mb": "512", "pid": "4711", "most": "100",
	"max": "100", "limit": "100", "bound": "100", "threshold": "15.6", "score": "21.4", "row": "120", "column": "5", "columns": "7", "fields": "7",
	"want": "8", "have": "5", "need": "8", "least": "3", "files": "8", "servers": "4", "drives": "12", "members": "12", "groups": "4", "luns": "48",
}

var texts = map[string]string{
	"": unknown, "path": "/var/log/sysstat/sa05", "file": "/var/log/sysstat/sa05", "files": "sa05 and sa06", "dir": "/var/lib/limpet", "directory": "/var/lib/limpet",
	"folder": "/var/lib/limpet", "name": "fs1", "names": "fs1, fs2 and fs3", "server": "fs1", "servers": "fs1 and fs2", "host": "fs1", "hosts": "fs1 and fs2", "node": "fs1",
	"machine": "fs1", "component": "1.07", "components": "1.07 and 1.08", "drive": "sdb", "drives": "sdb and sdc", "device": "sdb", "devices": "sdb and sdc", "disk": "sdb",
	"lun": "1.07", "luns": "1.07 and 1.08", "array": "array 1", "controller": "ddn2a", "controllers": "ddn2a and ddn2b", "member": "/dev/sdc", "members": "sdb, sdc and sdd", "group": "old/3",
	"groups": "old/3 and new/1", "model": "ST8000NM0055", "metric": "await", "metrics": "await and tps", "unit": "ms", "kind": "slow LUN", "kinds": "slow LUN and lost attachment", "class": "slow",
	"tool": "smartctl", "command": "limpet diagnose", "commands": "diagnose, incidents and serve", "flag": "--topology", "flags": "--from and --to", "format": "csv", "formats": "text, json or csv",
	"url": "https://store.example.net:9090", "address": "127.0.0.1:9714", "addr": "127.0.0.1:9714", "target": "fs1:9100", "targets": "fs1:9100 and fs2:9100", "job": "node",
	"err": "permission denied", "error": "permission denied", "cause": "permission denied", "problem": "permission denied", "trouble": "permission denied", "reason": "the file ends early", "why": "the file ends early", "fault": "the file ends early",
	"time": "2026-03-14 02:00", "at": "2026-03-14 02:00", "from": "2026-03-14 02:00", "to": "2026-03-14 08:00", "since": "2026-03-14 02:00", "until": "2026-03-14 08:00", "begin": "2026-03-14 02:00", "end": "2026-03-14 08:00",
	"first": "2026-03-14 02:00", "last": "2026-03-14 08:00", "onset": "2026-03-14 02:00", "day": "2026-03-14", "zone": "Europe/Berlin", "clock": "02:00", "stamp": "2026-03-14 02:00",
	"duration": "5 min", "interval": "15s", "step": "15s", "timeout": "30s", "age": "5 min", "wait": "5 min", "span": "5 min", "period": "1h", "elapsed": "5 min", "ago": "5 min",
	"id": "7f3a9c21", "incident": "7f3a9c21", "key": "zone", "keys": "files, time and component", "field": "zone", "fields": "files, time and component", "column": "await", "columns": "time, drive and await", "heading": "await",
	"value": "12x", "text": "12x", "word": "12x", "line": "sdb 12.5 3.1", "token": "12x", "cell": "12x", "input": "12x", "arg": "12x", "given": "12x", "got": "12x", "raw": "12x", "s": "12x", "v": "12x",
	"label": "drive", "labels": "drive=\"sdb\"", "series": "node_disk_read_time_seconds_total", "query": "rate(node_disk_read_time_seconds_total[1m])", "user": "alice", "who": "alice", "receiver": "webhook 1",
	"policy": "adaptive", "policies": "plain and adaptive", "method": "f10", "methods": "l13 and f10", "measure": "mean", "order": "worst", "verb": "mute", "phase": "active", "state": "active", "status": "active",
	"topology": "site.yaml", "description": "tables.yaml", "config": "limpet.yaml", "preset": "iostat", "presets": "iostat and sar", "system": "intrepid", "cluster": "pvfs-10/10", "filesystem": "PVFS", "workload": "dd-w", "expected": "a number", "want": "a number", "wanted": "a number",
	"what": "the topology", "noun": "file", "adjective": "slow", "of": "fs1", "peer": "1.08", "peers": "1.08 and 1.09", "headline": "LUN 1.07 answers 3.2 times slower than its peers", "hint": "leave it out", "cure": "leave it out", "advice": "leave it out",
	"pattern": "sd*", "lead": "await", "where": "line 12", "m": "sdb", "comment": "replaced by alice", "all": anyOf, "table": "latencies", "min": "3", "max": "100", "texts": "12x", "start": "2026-03-14 02:00",
	"part": "drawer 2", "parts": "drawer 2 and drawer 3", "other": "fs2", "own": "24.1 ms", "item": "drive", "low": "1.8", "high": "4.1", "least": "3", "most": "100", "section": "time", "said": "no data", "bound": "100", "volume": "gv0", "thresholds": "15.6",
	"slowdown": "3.2", "run": "run 12", "caption": "What limps", "trace": "trace.csv", "tables": "tables.csv", "pool": "tank", "slot": "slot 7", "enclosure": "enclosure 2", "drawer": "drawer 2", "partition": "partition 3", "release": "6.1", "platform": "linux/amd64", "commit": "9f484f05",
	"rate": "24.1", "threshold": "15.6", "score": "21.4", "rows": "120", "hours": "36", "days": "87", "width": "24.1", "words": "12x", "rest": "12x", "spare": "/dev/sdh", "sender": "vmagent", "measures": "cdf, mean", "ios": "ios1", "short": "7f3a9c21", "clip": "12x",
	"version": "12.7", "build": "1.0", "title": "What limps", "list": "fs1, fs2 and fs3", "known": anyOf, "choices": anyOf, "values": anyOf, "others": "fs2 and fs3", "bytes": "12 MB", "size": "12 MB", "number": "3", "count": "3", "n": "3",
}

// typed holds examples by the type of a parameter.
var typed = map[string]string{
	"error": "permission denied", "time.Duration": "5 min", "time.Time": "2026-03-14 02:00", "int": "3", "int64": "3", "[]error": "permission denied", "net.Addr": "127.0.0.1:9714", "netip.Addr": "10.0.0.5", "float64": "24.1", "uint64": "3", "uint32": "3", "byte": "3",
}

// exampleOf returns an example of a value. The second result is false if neither its name
// nor its type is known.
func exampleOf(s *scope, e ast.Expr, verb string) (string, bool) {
	if call, ok := e.(*ast.CallExpr); ok && verb != "d" {
		_, name := callee(call)
		if does, counts := countFunctions[name]; counts && len(call.Args) == 2 { // english.Count(n, "peer group")
			if isText(call.Args[1]) {
				return "3 " + literal(call.Args[1]) + "s" + does, true
			}
			return "3 drives" + does, true
		}
		if name == "tense" && len(call.Args) == 3 { // tense(in, english.Verb(n, "gets", "get"), "got")
			if verb, ok := call.Args[1].(*ast.CallExpr); ok && len(verb.Args) == 3 && isText(verb.Args[2]) {
				return literal(verb.Args[2]), true
			}
		}
		if name == "Verb" && len(call.Args) == 3 { // english.Verb(n, "is", "are")
			return literal(call.Args[2]), true
		}
		if name == "countOf" && len(call.Args) == 3 { // countOf(n, "volume was", "volumes were")
			return "3 " + literal(call.Args[2]), true
		}
		if example := inPackage(s.place(), name); example != "" {
			return example, true
		}
		if name == "be" && len(call.Args) == 2 { // be(in, 2)
			if literal, ok := call.Args[1].(*ast.BasicLit); ok && literal.Value == "1" {
				return "is", true
			}
			return "are", true
		}
		if example := examplesOfFunctions[name]; example != "" {
			return example, true
		}
		if name == "len" || name == "Thousands" || name == "Itoa" || name == "FormatInt" || name == "FormatUint" {
			return byEnd(numbers, strings.ToLower(nameOf(e))), true
		}
	}
	if sum, ok := e.(*ast.BinaryExpr); ok { // english.Count(n, "file") + english.Verb(n, " is", " are")
		if call, ok := sum.X.(*ast.CallExpr); ok && isCount(call) {
			count, _ := exampleOf(s, sum.X, verb)
			does, _ := exampleOf(s, sum.Y, verb)
			return count + does, true
		}
	}
	if example := inPackage(s.place(), nameOf(e)); example != "" && verb != "d" && verb != "w" && len(s.choices(e)) < 2 {
		return example, true
	}
	name := strings.ToLower(nameOf(e))
	if _, isOne := e.(*ast.IndexExpr); isOne && texts[strings.TrimSuffix(name, "s")] != "" {
		name = strings.TrimSuffix(name, "s")
	}
	switch verb {
	case "d":
		return byEnd(numbers, name), true
	case "f", "g", "e":
		if example := byEnd(numbers, name); example != "3" {
			return example, true
		}
		return "24.1", true
	case "w":
		return cmp.Or(s.declaredError(e), texts["err"]), true
	case "x", "X":
		return "1f8b", true
	case "c":
		return "a", true
	case "T":
		return "int", true
	}
	if id, ok := e.(*ast.Ident); ok && typed[s.types[id.Name]] != "" {
		return typed[s.types[id.Name]], true
	}
	if f, ok := e.(*ast.SelectorExpr); ok && typed[s.all.fields[f.Sel.Name]] != "" {
		return typed[s.all.fields[f.Sel.Name]], true
	}
	if choices := s.choices(e); len(choices) > 0 {
		return choices[0], true
	}
	if id, ok := e.(*ast.Ident); ok && !s.asked[id.Name] {
		s.ask(id.Name)
		defer delete(s.asked, id.Name)
		for _, v := range s.values[id.Name] {
			if _, isCall := v.(*ast.CallExpr); !isCall {
				continue
			}
			if example, known := exampleOf(s, v, verb); known {
				return example, true
			}
		}
	}
	example := byEnd(texts, name)
	if vague[example] && verb != "q" {
		example = unknown
	}
	return example, example != unknown
}

// declaredError returns the text of an error that a package declares; empty if the expression is
// not such an error.
func (s *scope) declaredError(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return s.all.errors[s.file.pkg+"."+e.Name]
	case *ast.SelectorExpr:
		if x, ok := e.X.(*ast.Ident); ok {
			return s.all.errors[s.file.imports[x.Name]+"."+e.Sel.Name]
		}
	}
	return ""
}

// vague are examples that are useful only for a value in quotes.
var vague = map[string]bool{texts["text"]: true, texts["what"]: true}

// byEnd returns the example of the longest end of name that is in a table.
func byEnd(table map[string]string, name string) string {
	for from := range len(name) {
		if example := table[name[from:]]; example != "" && (from == 0 || len(name)-from > 2) {
			return example
		}
	}
	return table[""]
}

// unnamed returns an example for a verb whose value is not in the call.
func unnamed(verb string) string {
	if verb == "d" || verb == "f" || verb == "g" {
		return numbers[""]
	}
	return texts[""]
}

// quantity matches the unit or noun after a number.
var quantity = regexp.MustCompile(`^ ?(s|ms|min|h|d|%|[KMGT]?i?B|kB|times|points|percent|days?|hours?|years?|seconds|minutes|steps|windows|bytes|requests|records|octaves|nats)\b|^ ?(%|×)|^[KMGT]iB/s`)

// choiceOf matches the words before a list of possible names.
var choiceOf = regexp.MustCompile(`(?i)\b(use|use one of|none of|one of|some of|known are|there are|they are|use one of these:|choose|write one of|it has)$`)

// refine replaces guessed examples by examples that fit the words around them.
func refine(text []Segment) []Segment {
	for i := range text {
		s := &text[i]
		before := ""
		if i > 0 {
			before = strings.TrimSpace(text[i-1].Text)
		}
		if s.Example == anyOf {
			s.Example = choicesAfter(before, text)
		}
		if !s.guessed || len(s.Choices) > 0 {
			continue
		}
		quoted := strings.HasPrefix(s.Example, `"`)
		noun := strings.ToLower(before[strings.LastIndexAny(before, " (")+1:])
		switch {
		case i+1 < len(text) && quantity.MatchString(text[i+1].Text) && !quoted:
			s.Example = "24.1"
		case choiceOf.MatchString(before):
			s.Example = choicesAfter(before, text)
		case len(noun) > 2 && texts[noun] != "":
			s.Example = texts[noun]
		default:
			continue
		}
		if quoted {
			s.Example = strconv.Quote(s.Example)
		}
	}
	return distinct(text)
}

// choicesOf holds lists of possible names, by a noun of the phrase.
var choicesOf = map[string]string{
	"format": "text, json or csv", "metric": "await, tps or rd_sec", "metrics": "await, tps or rd_sec", "measure": "cdf or mean", "method": "default, servers, l13 or f10",
	"order": "worst or newest", "experiment": "events, concurrent or quiet", "fault": "disk-hog, disk-busy or send-pktloss", "workload": "ddr, ddw or postmark",
	"threshold": "criteria.clear_times or slow.cache_times", "setting": "smooth, k or factor", "policy": "normal, adaptive or hedge", "kind": "slow LUN, lost paths or drawer error",
	"mechanism": "slow lun, busy lun or server down", "unit": "s, ms or us", "operation": "read, write or sync", "volume": "sharded, dispersed or hashed", "events": "2011-05-09 or 2011-07-14",
	"form": "sar, iostat or zpool", "storage": "ceph, gpfs or zfs", "role": "viewer, operator or ingest", "delay": "none, rare or periodic", "peers": "model, size or set",
}

// choicesAfter returns a list of possible names that follows the words before. After "one of", the
// program separates names by commas.
func choicesAfter(before string, text []Segment) string {
	list := choicesAmong(text)
	if strings.HasSuffix(before, "one of") {
		return strings.ReplaceAll(list, " or ", ", ")
	}
	return list
}

// choicesAmong returns the list of possible names for a noun of the phrase.
func choicesAmong(text []Segment) string {
	for _, s := range text {
		for _, w := range words.FindAllString(s.Text, -1) {
			if list := choicesOf[strings.ToLower(w)]; list != "" {
				return list
			}
		}
	}
	return anyOf
}

// series holds further examples, for a phrase with several values that have the same example: 3 of
// 8 files.
var series = map[string][]string{
	"5": {"95"}, "3": {"8", "12", "20", "40", "60", "80", "100"}, "24.1": {"6.68", "3.2", "1.5", "0.8"}, "24.1 ms": {"6.68 ms", "3.2 ms", "1.5 ms"}, "02:00": {"08:00", "09:00"}, "12": {"24", "36"},
	"2026-03-14 02:00": {"2026-03-14 08:00", "2026-03-15 02:00", "2026-03-15 08:00"}, "/var/log/sysstat/sa05": {"/var/log/sysstat/sa06"}, "/var/lib/limpet": {"/srv/limpet"},
	"fs1": {"fs2", "fs3", "fs4"}, "sdb": {"sdc", "sdd"}, "1.07": {"1.08", "1.09"}, "4096": {"8192", "16384"}, "3.2 times": {"4.1 times"}, "5 min": {"20 min"}, "4": {"6"}, "87": {"90"},
	"10 min": {"20 min"}, "12 MB": {"20 MB"}, "300": {"900"}, "2.4 %": {"4.1 %"}, "12 %": {"31 %"}, "127.0.0.1:9714": {"127.0.0.1:9715"},
}

// rising holds the example of the end of a range, by the example of its start.
var rising = map[string]string{"24.1": "41", "24.1 ms": "41 ms"}

// distinct gives different examples to values of a phrase that have the same example.
func distinct(text []Segment) []Segment {
	seen := map[string]int{}
	for i := range text {
		s := &text[i]
		example := s.Example
		if example == "" || len(s.Choices) > 1 {
			continue
		}
		if number, noun, counts := strings.Cut(example, " "); counts && number == "3" {
			if n := seen[number]; n > 0 {
				s.Example = series["3"][n-1] + " " + noun
			}
			seen[number]++
			continue
		}
		n := seen[example]
		seen[example]++
		if n == 0 {
			continue
		}
		if strings.HasSuffix(text[i-1].Text, "faults, ") { // 3 faults, 2 repaired
			s.Example = "2"
			continue
		}
		between := ""
		if i > 0 {
			between = strings.TrimSpace(text[i-1].Text)
		}
		switch next := series[example]; {
		case rising[example] != "" && (between == "to" || between == "and"):
			s.Example = rising[example]
		case n <= len(next):
			s.Example = next[n-1]
		}
	}
	return text
}
