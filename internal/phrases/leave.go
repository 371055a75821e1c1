package phrases

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

// notPrinted holds functions whose arguments are not texts for people, and the reason: patterns,
// queries, words to search in texts of other programs, addresses, seeds, and texts of panics.
var notPrinted = map[string]string{
	"MustCompile": "regular expression", "Compile": "regular expression",
	"Contains": "text of others", "HasPrefix": "text of others", "HasSuffix": "text of others", "TrimSuffix": "text of others",
	"TrimPrefix": "text of others", "Cut": "text of others", "CutPrefix": "text of others", "CutSuffix": "text of others",
	"EqualFold": "text of others", "Index": "text of others", "LastIndex": "text of others", "Split": "text of others", "Sscanf": "text of others",
	"Count": "text of others", "ContainsAny": "characters", "IndexAny": "characters", "TrimLeft": "characters", "Trim": "characters",
	"HandleFunc": "address", "Handle": "address",
	"panic": "programmer's mistake", "Source": "seed", "source": "seed",
	"Parse": "time", "Format": "time", "AppendFormat": "time", "ParseInLocation": "time",
}

// form matches texts that a program reads: SQL, times, JSON, troff, HTTP, styles, shells.
var form = regexp.MustCompile(`^\s*(SELECT|INSERT|DELETE|UPDATE|CREATE|DROP|ALTER|PRAGMA|VACUUM|BEGIN|WITH|FROM|WHERE|ORDER BY|GROUP BY|LIMIT|HAVING|UNION|AND|OR|VALUES|SETTINGS|PRIMARY KEY|ON CONFLICT|JOIN|LEFT JOIN|ARRAY JOIN|USING)\b` +
	`|\b(SELECT|ORDER BY|IN \(|NOT EXISTS|GROUP BY)|[<>=] \?|\bAS\b|[<>]=? (%|0 OR)|\b[a-z]+[A-Z]\w*\(|^[a-z]+ DESC, [a-z]+ DESC$` +
	`|2006-01-02|15:04|2006 MST|Jan _2` +
	`|^\s*[{\["]+[a-z_]+": |^\{"` +
	`|^\.([A-Z]{1,2}|nh|ad|in|\\")(\s|$)|\\f[BIR]` +
	`|^(text|application|image)/|^(GET|POST|PUT|DELETE|HEAD) ?/|^[A-Z]+, [A-Z]+$|^(public|private), |^Accept-|; filename=|realm=|-src |^(base-uri|form-action) |^[?/][a-z]+[=/]\S*$` +
	`|^rgb\(|^\(prefers-|^func\(|^#!/bin` +
	`|^(dd if=|rm -f |mkdir -p |mount --bind |awk -v |nsenter |fio --name|set -e; |exec >|'set number)|^# (HELP|TYPE) |^\{at: `)

// leftOut reports whether a text is not for people. The text is the last node of the path.
func leftOut(path []ast.Node, text string) bool {
	if form.MatchString(text) {
		return true
	}
	for i := len(path) - 2; i >= 0; i-- {
		child := path[i+1]
		switch n := path[i].(type) {
		case *ast.Field, *ast.ImportSpec:
			return true // a tag or an import path
		case *ast.CaseClause:
			if e, ok := child.(ast.Expr); ok && slices.Contains(n.List, e) {
				return true
			}
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return true // a comparison
			}
		case *ast.IndexExpr:
			if n.Index == child {
				return true
			}
		case *ast.KeyValueExpr:
			if n.Key == child || nameOf(n.Key) == "said" { // a key, or a text of another program
				return true
			}
		case *ast.CallExpr:
			pkg, name := callee(n)
			if pkg == "lazyregexp" {
				return true
			}
			switch why := notPrinted[name]; {
			case why == "":
			case why == "seed" || name == "Parse" || name == "Trim":
				// Functions with the same names may print texts, so only short texts are left out.
				if !strings.Contains(text, " ") || len(strings.Fields(text)) < 4 {
					return true
				}
			case name == "Count" && pkg != "strings" && pkg != "bytes": // english.Count
			default:
				return true
			}
		case *ast.BlockStmt:
			return false
		}
	}
	return false
}

// callee returns the package or variable of a called function, and the name of the function.
func callee(call *ast.CallExpr) (of, name string) {
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	switch f := fun.(type) {
	case *ast.Ident:
		return "", f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name, f.Sel.Name
		}
		return "?", f.Sel.Name
	}
	return "?", ""
}

// forProgram matches texts that programs read: names in JSON, lines of files that limpet writes,
// commands of other programs.
type forProgram struct{ place, text *regexp.Regexp }

func names(place, text string) forProgram {
	return forProgram{regexp.MustCompile(place), regexp.MustCompile(text)}
}

// programsRead lists texts that only programs read, by place. The comments give the reasons.
var programsRead = []forProgram{
	// Lines of YAML files that limpet writes: topologies, descriptions, events of simulations.
	names(`^(topology/site/draft|ingest/tables/draft|ingest/store/describe_fold|lab/simulate|lab/testbed/ceph/service|server/serve/config/parse|report/action/policy|ingest/store/options)`, `^(- )?[a-z_]+: ?([\[{"*]|sd\*|fs\[|[a-zA-Z0-9_./…\[\]-]+( [a-z_]+: \S+)?$|$)|^(, )?[a-z]+: |^\{column|^(components|luns|except|devices|servers|name|hosts|controllers|sets|files|events)[:,]|^- (names|servers)`),
	names(`^lab/testbed/(bench/loop|(gluster|ceph)/service)`, `^(- )?\{?(mode|kinds|effects|lasted|topology|to|name|servers|devices|peers|names|hosts)\b`),
	// Names in JSON and CSV of studies, rankings, actions, findings and metrics.
	names(`^study/survey/`, `^[a-zA-Z]+(-[a-z0-9]+)+$|^(complaints|degradation|exact|ever|months|nines|slowdowns)$`),
	names(`^study/published\.go`, `^Finding \d+$`),
	names(`^report/action/(caps|policy)\.go $`, `.`),
	names(`^engine/(look/(ranking|explain|metrics)|finding/[a-z]+|metric/metric|summary)\.go $`, `^[a-zA-Z0-9%._ -]+$`),
	names(`^(report/ranking/json|live/ledger/(schema|query))\.go $`, `^[a-z, ]+$`),
	names(`^cmd/manual/topic\.go`, `^[a-z-]+$`),
	// Words that seed random numbers, and jobs of simulations.
	names(`^lab/simulate/arrays/(days|demo|lun|draw)\.go`, `^[a-z .0-9]+$`),
	names(`^live/(watch/command|cluster/(replica|ingest))\.go`, `^(word|stage) \d+$|claim \d+$`),
	// Commands for other programs.
	names(`^lab/testbed/ceph/(fault|reports|service|workload)\.go`, `^(osd (set|unset|scrub|deep-scrub|in|out|down|pool|pg-upmap) |perf )`),
	names(`^lab/testbed/bench/`, `^[a-z0-9-]+ [\d.]+ms \d+%$`),
	// Words by which the output of tools and files of limpet are recognised.
	names(`^ingest/tool/print`, `^(0 sda|%util DEV|No\. of calls|I/O time \(|disk I/Os in flight|Controller Busy Time|operations )`),
	names(`^ingest/tool/(collectl|darshan|zpool|sar_text|time|registry|ceph|ceph_perf|ddn|fio|iostat|netdata|prometheus)\.go`, `^(DISK STATISTICS|# DXT,|(disk_wait|total_wait|bandwidth|old/3) (read|write)|[a-z-]+|\d\d[:/]\d\d.*|Mon _2.*)$`),
	names(`^ingest/tables/own_files\.go`, `^(SQLite format|<!doctype)`),
	names(`^(live/journal/file|internal/state/block|study/render/json_form|live/history/segment/write|live/ledger/schema)\.go`, `^(limpet (journal [LS]|state|study 1)|history|ledger)$`),
	names(`^internal/sqlfile/sums\.go`, `^limpet sums 1$`),
	names(`^record/kernel/blkprobe/program_attach\.go`, `^Dual MIT`),
	// Keys by which devices of several files are joined.
	names(`^topology/site/(merge_\w+|moves|storcli|ssacli|sas2ircu|hdfs|ceph|beegfs)\.go`, `^\S+ (name|number|address|path) \S+$|^none \S+$|^multipath \S+$|^(datanode|target|slot|drive group) \S+$|^osd\.\d+$|^sas3ircu \S+$|^\S+ \S+ path `),
	// Keys of CSV and JSON. Text and pages show other words for them.
	names(`^lab/evaluate/experiments_rates\.go`, `^(F10's faults|faults of life|harmless work)`),
	names(`^study/render/names\.go`, `^(not on file|share of slow hours with a lower value|slow from|stable to|share of (steps|runs|imbalanced)|as longest tail|of hours|runs of at least|slow again within|tail hours|full-stripe slowdown,|the longest|as many as|hours at|replaced at slow hour|slow hours saved|a drive|net of)$|^(slowdown at 95 %|at 99(\.9)? %|of the hours|stable to (stable|tail)|share of (hours below|drive hours below|steps below|runs that last no longer|imbalanced hours below)|tail hours saved|full-stripe slowdown, mean|the longest (tail|two)|as many as the group has parity drives|hours at (work since|risk)|net of the new drive's)$`),
	names(`^study/render/diff\.go $`, `^no telling$`),
	names(`^live/action/(advance|executor)\.go`, `^(before|after) (command|record)`),
	names(`^live/(alert/notification|ledger/write)\.go $`, `^(became an incident|lost sight of)$`),
	// IDs of records in the logs of NATS, and names of keys.
	names(`^live/cluster/(action_log|alert_log|alert_receivers)\.go`, `^(order|actions|left|more|receivers) \S+( \S+)*$|claim \d+$`),
	names(`^live/top/screen/keys\.go $`, `^(far|half) `),
	names(`^internal/state/axis\.go`, `^each of axis`),
	names(`^report/json\.go`, `^\], `),
	// HTTP.
	names(`^server/`, `^(Bearer |retry: |: alive|id: |event: |data: |https?://….*#/)`),
	names(`^ingest/scrape/client\.go`, `^Bearer `),
	names(`^record/(kernel/seat|sadf/recorder)\.go`, `^(device x|fs1;)`),
	// Comments that the recorder writes into activity files, and columns of sadf.
	names(`^record/(remark|guard|open|stall|output|dayfile/file)\.go`, `^(gap|late|clock|resumed after) |^file (removed|truncated|written by others|moved)$`),
	names(`^record/(sadf/sadf|agent/metrics_text)\.go`, `^(-S [A-Z_]+|\(\S+ CPU\)|# TYPE)$`),
	// Names of files and labels, and words that another phrase shows as a value.
	names(`^ingest/(exporter/spool_list|store/results/results)\.go`, `^(limpet-intake|le)$`),
	names(`^ingest/(selection_files|tables/faults)\.go`, `^, and$|^3 drives has$`),
	names(`^ingest/tool/print(_exporter)?\.go`, `that are not drives$`),
	names(`^topology/site/draft/(drives|luns)\.go`, `^(volume was|OSD is|LUN is)$`),
	names(`^topology/(topology|check)\.go (String|sizeText)`, `.`),
}

// forPrograms reports whether only programs read a phrase.
func (p *Phrase) forPrograms() bool {
	place, text := p.Package+"/"+p.File+" "+p.Function, p.Example()
	return slices.ContainsFunc(programsRead, func(n forProgram) bool {
		return n.place.MatchString(place) && n.text.MatchString(text)
	})
}
