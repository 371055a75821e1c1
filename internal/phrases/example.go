package phrases

import (
	"go/ast"
	"regexp"
	"strconv"
	"strings"
)

// transparent are functions that print what they are given: the name of the value decides.
var transparent = map[string]bool{
	"Join": true, "Itoa": true, "FormatInt": true, "Quote": true, "ToLower": true, "string": true, "TrimSpace": true, "Or": true,
	"Sorted": true, "Clean": true, "max": true, "min": true, "int": true, "int64": true, "float64": true, "Keys": true,
	"TrimPrefix": true, "TrimSuffix": true, "ReplaceAll": true, "ToUpper": true, "Clone": true,
	"Thousands": true, "String": true, "Error": true, "FromSlash": true, "ToSlash": true, "Title": true, "List": true,
}

// keyed are functions that look a value up by its name.
var keyed = map[string]bool{"PathValue": true, "FormValue": true, "Get": true, "Lookup": true, "Getenv": true, "GetString": true}

// examplesOfFunctions are what functions return that print numbers, times and names.
var examplesOfFunctions = map[string]string{
	"Times": "3.2 times", "Digits": "24.1", "Seconds": "5 min", "Quantity": "24.1 ms", "Percent": "2.4 %", "percent": "2.4 %",
	"Duration": "5 min", "Bytes": "12 MB", "Base": "sa05", "Dir": "/var/log/sysstat", "Ext": ".txt",
	"minute": "02:00", "Time": "02:00", "Clock": "02:00", "start": "02:00", "Date": "2026-03-14",
	"named": "LUN 1.07", "where": "array 1", "fold": "fs1 and fs2", "names": "1.07 and 1.08", "fold1": "fs1",
	"measure": "24.1 ms", "measured": "await 24.1 ms, its peers' 6.68 ms", "unit": "LUN", "Name": "fs1",
	"Type": "number", "kindOf": "drive", "Status": "503 Service Unavailable", "Version": "1.0", "Addr": "127.0.0.1:9714",
	"Fold": "fs[1-8]", "later": "2026-03-14 08:00", "table": "24.1", "share": "12 %", "Share": "12 %", "Round": "24", "pick": "fs1", "utc": "2026-03-14 02:00", "short": "7f3a9c",
	"Kind": "mapping", "Hex": "1f8b", "EncodeToString": "1f8b", "Position": "line 12", "Pos": "line 12",
}

// number, text and the like are examples by the end of a value's name. The longest end counts.
var numbers = map[string]string{
	"": "3", "line": "12", "bytes": "4096", "size": "4096", "length": "4096", "port": "9714", "year": "2026", "status": "503", "code": "503", "version": "4",
	"percent": "12", "seconds": "300", "hours": "36", "days": "87", "minutes": "10", "ms": "24.1", "times": "3.2", "ratio": "3.2", "share": "0.12",
	"offset": "81920", "block": "2048", "sector": "4096", "chunk": "12", "stripe": "7", "member": "2", "mb": "512", "pid": "4711", "most": "100",
	"max": "100", "limit": "100", "bound": "100", "threshold": "15.6", "score": "21.4", "row": "120", "column": "5", "columns": "7", "fields": "7",
	"want": "8", "have": "5", "need": "8", "least": "3", "files": "8", "servers": "4", "drives": "12", "members": "12", "groups": "4", "luns": "48",
}

var texts = map[string]string{
	"": "sda", "path": "/var/log/sysstat/sa05", "file": "/var/log/sysstat/sa05", "files": "sa05 and sa06", "dir": "/var/lib/limpet", "directory": "/var/lib/limpet",
	"folder": "/var/lib/limpet", "name": "fs1", "names": "fs1, fs2 and fs3", "server": "fs1", "servers": "fs1 and fs2", "host": "fs1", "hosts": "fs1 and fs2", "node": "fs1",
	"machine": "fs1", "component": "1.07", "components": "1.07 and 1.08", "drive": "sdb", "drives": "sdb and sdc", "device": "sdb", "devices": "sdb and sdc", "disk": "sdb",
	"lun": "1.07", "luns": "1.07 and 1.08", "array": "array 1", "controller": "ddn2a", "controllers": "ddn2a and ddn2b", "member": "/dev/sdc", "members": "sdb, sdc and sdd", "group": "old/3",
	"groups": "old/3 and new/1", "model": "ST8000NM0055", "metric": "await", "metrics": "await and tps", "unit": "ms", "kind": "slow LUN", "kinds": "slow LUN and lost attachment", "class": "slow",
	"tool": "smartctl", "command": "limpet diagnose", "commands": "diagnose, incidents and serve", "flag": "--topology", "flags": "--from and --to", "format": "csv", "formats": "text, json and csv",
	"url": "https://store.example.net:9090", "address": "127.0.0.1:9714", "addr": "127.0.0.1:9714", "target": "fs1:9100", "targets": "fs1:9100 and fs2:9100", "job": "node",
	"err": "permission denied", "error": "permission denied", "cause": "permission denied", "problem": "permission denied", "trouble": "permission denied", "reason": "the file ends early", "why": "the file ends early", "fault": "the file ends early",
	"time": "2026-03-14 02:00", "at": "2026-03-14 02:00", "from": "2026-03-14 02:00", "to": "2026-03-14 08:00", "since": "2026-03-14 02:00", "until": "2026-03-14 08:00", "begin": "2026-03-14 02:00", "end": "2026-03-14 08:00",
	"first": "2026-03-14 02:00", "last": "2026-03-14 08:00", "onset": "2026-03-14 02:00", "day": "2026-03-14", "zone": "Europe/Berlin", "clock": "02:00", "stamp": "2026-03-14 02:00",
	"duration": "5 min", "interval": "15s", "step": "15s", "timeout": "30s", "age": "5 min", "wait": "5 min", "span": "5 min", "period": "1h", "elapsed": "5 min", "ago": "5 min",
	"id": "7f3a9c", "incident": "7f3a9c", "key": "zone", "keys": "files, time and component", "field": "zone", "fields": "files, time and component", "column": "await", "columns": "time, drive and await", "heading": "await",
	"value": "12x", "text": "12x", "word": "12x", "line": "sdb 12.5 3.1", "token": "12x", "cell": "12x", "input": "12x", "arg": "12x", "given": "12x", "got": "12x", "raw": "12x", "s": "12x", "v": "12x",
	"label": "drive", "labels": "drive=\"sdb\"", "series": "node_disk_read_time_seconds_total", "query": "rate(node_disk_read_time_seconds_total[1m])", "user": "alice", "who": "alice", "receiver": "webhook 1",
	"policy": "adaptive", "policies": "plain and adaptive", "method": "f10", "methods": "l13 and f10", "measure": "mean", "order": "worst", "verb": "mute", "phase": "active", "state": "active", "status": "active",
	"topology": "site.yaml", "description": "tables.yaml", "config": "limpet.yaml", "preset": "iostat", "presets": "iostat and sar", "system": "intrepid", "cluster": "pvfs-10/10", "filesystem": "PVFS", "workload": "dd-w", "expected": "a number", "want": "a number", "wanted": "a number",
	"what": "the topology", "noun": "file", "of": "fs1", "peer": "1.08", "peers": "1.08 and 1.09", "headline": "LUN 1.07 answers 3.2 times slower than its peers", "hint": "leave it out", "cure": "leave it out", "advice": "leave it out",
	"pattern": "sd*", "lead": "await", "where": "line 12", "m": "sdb", "comment": "replaced by alice", "all": "text, json and csv", "table": "latencies", "min": "3", "max": "100", "texts": "12x", "start": "2026-03-14 02:00",
	"part": "drawer 2", "parts": "drawer 2 and drawer 3", "other": "fs2", "own": "24.1 ms", "item": "drive", "low": "1.8", "high": "4.1", "least": "3", "most": "100", "section": "time", "said": "no data", "bound": "100", "volume": "gv0", "thresholds": "15.6",
	"slowdown": "3.2", "run": "run 12", "caption": "What limps", "trace": "trace.csv", "tables": "tables.csv", "pool": "tank", "slot": "slot 7", "enclosure": "enclosure 2", "drawer": "drawer 2", "partition": "partition 3", "release": "6.1", "platform": "linux/amd64", "commit": "9f484f05",
	"rate": "24.1", "threshold": "15.6", "score": "21.4", "rows": "120", "hours": "36", "days": "87", "width": "24.1", "words": "12x", "rest": "12x", "spare": "/dev/sdh", "sender": "vmagent", "measures": "cdf and mean", "ios": "ios1", "short": "7f3a9c", "clip": "12x",
	"version": "12.7", "build": "1.0", "title": "What limps", "list": "fs1, fs2 and fs3", "known": "text, json and csv", "choices": "text, json and csv", "values": "text, json and csv", "others": "fs2 and fs3", "bytes": "12 MB", "size": "12 MB", "number": "3", "count": "3", "n": "3",
}

// typed are examples by a parameter's type.
var typed = map[string]string{
	"error": "permission denied", "time.Duration": "5 min", "time.Time": "2026-03-14 02:00", "int": "3", "int64": "3", "[]error": "permission denied", "net.Addr": "127.0.0.1:9714", "netip.Addr": "10.0.0.5", "float64": "24.1", "uint64": "3", "uint32": "3", "byte": "3",
}

// exampleOf returns an example of a value. The second result is false if neither its name
// nor its type is known.
func exampleOf(s *scope, e ast.Expr, verb string) (string, bool) {
	if call, ok := e.(*ast.CallExpr); ok && verb != "d" {
		_, name := callee(call)
		if name == "Count" && len(call.Args) == 2 { // english.Count(n, "peer group")
			if isText(call.Args[1]) {
				return "3 " + literal(call.Args[1]) + "s", true
			}
			return "3 drives", true
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
	name := strings.ToLower(nameOf(e))
	switch verb {
	case "d":
		return byEnd(numbers, name), true
	case "f", "g", "e":
		if example := byEnd(numbers, name); example != "3" {
			return example, true
		}
		return "24.1", true
	case "w":
		return texts["err"], true
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
	return example, example != texts[""]
}

// byEnd returns the example of the longest end of a name that a table has.
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

// quantity finds the unit or noun behind a number.
var quantity = regexp.MustCompile(`^ ?(s|ms|min|h|d|%|[KMGT]?i?B|kB|times|points|percent|days?|hours?|years?|seconds|minutes|steps|windows|bytes|requests|records|octaves|nats)\b|^ ?(%|×)|^[KMGT]iB/s`)

// choiceOf finds what stands before a list of names that are possible.
var choiceOf = regexp.MustCompile(`(?i)(use|use one of|none of|one of|some of|known are|there are|they are|use one of these:|choose|write one of|it has)$`)

// refine makes examples whose name does not tell what they are fit the words around them.
func refine(text []Segment) []Segment {
	for i := range text {
		s := &text[i]
		if !s.guessed || len(s.Choices) > 0 {
			continue
		}
		quoted := strings.HasPrefix(s.Example, `"`)
		before := ""
		if i > 0 {
			before = strings.TrimSpace(text[i-1].Text)
		}
		noun := strings.ToLower(before[strings.LastIndexAny(before, " (")+1:])
		switch {
		case i+1 < len(text) && quantity.MatchString(text[i+1].Text) && !quoted:
			s.Example = "24.1"
		case choiceOf.MatchString(before):
			s.Example = texts["choices"]
		case len(noun) > 2 && texts[noun] != "":
			s.Example = texts[noun]
		default:
			continue
		}
		if quoted {
			s.Example = strconv.Quote(s.Example)
		}
	}
	return text
}
