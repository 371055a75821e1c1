package phrases

import "regexp"

// whole has what stands before and behind a text that is only a part of a sentence: another
// function prints the rest. The book shows the whole sentence, with the rest as an example.
type whole struct {
	place         *regexp.Regexp // package, file and function: report/sentence/writer.go When
	text          *regexp.Regexp
	before, after string
}

func part(place, text, before, after string) whole {
	return whole{regexp.MustCompile(place), regexp.MustCompile(text), before, after}
}

const (
	slowLUN  = "LUN 1.07 answers 3.2 times slower than its peers"
	tooLarge = "/var/log/sysstat/sa05: the file has more than 1048576 bytes, which is the limit for"
)

// wholes has the sentences of parts. The first that fits counts.
var wholes = []whole{
	part(`^study/survey/`, `^(is|or more is) (the slowdown|how|the share|the chance of)|^(is|or more is) `, "3.2×", ""),
	part(`^study/survey/`, `^(of|fewer|more|per) `, "2.4 %", ""),
	part(`^study/survey/foresight_replacement`, `^\(slow hours per`, "1.5", ""),
	part(`^study/survey/sheet\.go unsure`, `.`, "no confidence interval:", ""),
	part(`^study/survey/spread\.go quantile`, `.`, "no confidence interval:", ""),
	part(`^study/survey/daily\.go worst`, `^the value`, "no confidence interval:", ""),
	part(`^study/render/label\.go`, `^of these drives`, "drives that were ever slow:", ""),
	part(`^study/render/account\.go`, `^(cannot|have) `, "36 records", ""),
	part(`^study/render/account\.go`, `^(left out|added|with|made) `, "the other records were: 36", ""),
	part(`^cmd/limpet/incidents\.go`, `^(resolve|accept|mute|unmute|comment|was) 4fd2a1`, "limpet incidents", ""),
	part(`^cmd/limpet/study`, `^times the `, "--threshold must be between 1 and 1000", ""),
	part(`^cmd/limpet/`, `^times the `, "--strength must be between 0.1 and 10", ""),
	part(`^cmd/limpet/main\.go unknownCommand`, `^of `, `there is no command "creat"`, ""),
	part(`^cmd/limpet/main\.go unknownCommand`, `^; did`, `there is no command "diagnos"`, ""),
	part(`^cmd/limpet/demo\.go foundAs`, `^(found|not found)`, "1. the drives of LUN 1.07 take 3 times longer for a request:", ""),
	part(`^cmd/limpet/raid_create\.go printStatus`, `^\(`, "member 2 is not yet rebuilt", ""),
	part(`^cmd/limpet/raid_replay\.go`, `^(shorten the trace|choose a lower)`, "trace.csv: the replay needs more than the memory limit;", ", or raise --max-memory (512M)"),
	part(`^cmd/limpet/raid_(create|rebuild|open)\.go`, `^(name a file that exists|write "missing"|give a file|unmount this device|another process serves)`, "/dev/sdc cannot be used:", ""),
	part(`^cmd/limpet/store\.go tellFetched`, `^, which`, "2.4 million samples of 4 servers were read by remote read; the samples take 12 MB in /tmp/limpet", ""),
	part(`^cmd/limpet(-record|/)?.*(usage|defaultOf)$`, `^\(default `, "--interval time │ time between samples", ""),
	part(`^cmd/limpet-testbed/record\.go inner`, `^an? [a-z ]+$`, `the command "hog" needs`, ""),
	part(`^cmd/limpet-testbed/main\.go describe`, `^at `, "run r1-012: fault disk-busy", ""),
	part(`^cmd/limpet/recognise\.go printOf`, `.`, "sa05.txt is not an activity file but", ""),
	part(`/fleet\.ts $`, `^of `, "2.4 %", ""),
	part(`/latency\.ts $`, `^, and `, "12 % of its requests", "took at least 24.1 ms"),
	part(`/Card\.svelte $`, `^, for `, "since 02:00", ""),
	part(`/Fleet\.svelte $`, `^in (at least|3 groups)`, "2.4 % of the disks were slow", ""),
	part(`/incident\.ts $`, `^slower than`, "3.2×", ""),
	part(`/incident\.ts $`, `^paths? lost`, "3", ""),
	part(`^server/api/client/text\.go muted`, `.`, "1. 7f3a9c LUN 1.07: slow LUN,", ""),
	part(`^server/api/client/text\.go Table`, `^, `, "1. 7f3a9c LUN 1.07: slow LUN", ""),
	part(`^server/api/client/text\.go phrase`, `^until`, "alice: mute", ""),
	part(`^server/api/client/top\.go`, `^is (back|over)`, "incident 7f3a9c", ": "+slowLUN),
	part(`^server/serve/standing\.go`, `^(arrived|from|of|with) `, "3 samples", ""),
	part(`^server/serve/standing\.go`, `^; not used`, "the sender sends data", ""),
	part(`^server/handler/parameters\.go takes`, `.`, `this path has no parameter "limt";`, ""),
	part(`^lab/evaluate/experiments\.go accuse`, `^\(`, "accused: server fs1", ""),
	part(`^lab/evaluate/truth_report\.go verdict`, `^\(`, "false alarms: 3", ""),
	part(`^lab/evaluate/testbench_page\.go atOnce`, `^on `, "faults of strength 2", ""),
	part(`^lab/simulate/arrays/(events|mechanisms|incident)\.go`, `^an? (time|duration|flow)`, `"12x" is not`, ""),
	part(`^lab/simulate/arrays/run\.go`, `^from `, "LUN 1.07 is slow", ""),
	part(`^lab/simulate/arrays/run\.go`, `^to `, "LUN 1.07 is slow from 2026-03-13 02:00", ""),
	part(`^lab/simulate/testbench/conditions\.go String`, `^, `, "conditions of this run: gluster", ""),
	part(`^lab/simulate/testbench/conditions\.go String`, `^as in`, "conditions of this run:", ""),
	part(`^lab/simulate/testbench/truth\.go`, `^\(`, "packets to server fs1 are lost", ""),
	part(`^lab/testbed/fault\.go $`, `^[a-zA-Z]+ `, "fault at server fs1: strength 24", ""),
	part(`^raid/policy/options\.go (float|whole|length)`, `.`, "policy adaptive: st must be", `, not "12x"`),
	part(`^raid/policy/options\.go wrong`, `.`, "policy adaptive: st is 0; it must be", ""),
	part(`^topology/check\.go`, `^(have|mix) `, "3 more peer groups", ""),
	part(`^topology/check\.go`, `^(has|mixes) `, "peer group 3 (old/3)", ""),
	part(`^topology/check\.go`, `^: `, "peer group 3 (old/3) has 2 members, and at least 3 are needed", ""),
	part(`^topology/check\.go`, `^; `, "peer group 3 (old/3) mixes models or sizes", ""),
	part(`^topology/format\.go subject`, `.`, "", "not in the list of servers at the top of the file"),
	part(`^topology/clash\.go`, `^, and so`, "fs1 is described twice, first in line 12", ""),
	part(`^topology/(discover|seen)\.go`, `^(dm devices|more names|virtual)`, "these devices are left out:", ""),
	part(`^topology/site/formats\.go more`, `.`, `not understood: "sdb 12.5 3.1"`, ""),
	part(`^topology/site/draft/arrays\.go alike`, `.`, "LUNs with the same servers", "are treated as one array"),
	part(`^report/outcome/memory\.go`, `^(is|was) `, "/var/lib/limpet/last", ""),
	part(`^report/page/timeline\.go`, `^; the`, "slow LUN: since 2026-03-14 02:00 UTC", ""),
	part(`^report/page/anchor\.go`, `^has a link`, `section "Incidents"`, ""),
	part(`^report/evidence\.go read`, `^, read`, "87 days of data", ""),
	part(`^report/recent\.go`, `^, `, "● the component", ""),
	part(`^report/tables\.go listedIn`, `^, `, "7f3a9c, since 02:00", ""),
	part(`^report/ranking/text\.go period`, `^, `, "24 drives, 2 outputs of iostat -x", ""),
	part(`^report/ranking/text\.go group`, `^on `, "12 drives", ""),
	part(`^report/ranking/text\.go other`, `^; `, "sdb: 24.1 ms, 3.2 times the median of its peers", ""),
	part(`^report/sentence/action\.go on`, `^on `, "Refused: an action", ", because the incident is muted."),
	part(`^report/sentence/action\.go (refusal|capped)`, `.`, "Refused: an action on sdb, because", ""),
	part(`^report/sentence/alerts\.go AndMore`, `^(and|,) `, "12 components of array 1 are slow", ""),
	part(`^report/sentence/alerts\.go (against|peers)`, `^its peers`, "3.2 times slower than", ""),
	part(`^report/sentence/attribute\.go across`, `.`, "3 of 8 drives of array 1", "answer about 3.2 times slower than their peers"),
	part(`^report/sentence/because\.go Because`, `^, and`, "3 of 8 drives are slow there", ""),
	part(`^report/sentence/because\.go loaded`, `^; `, "its peers are almost idle at the same time, so the workload may be the cause", ""),
	part(`^report/sentence/because\.go compared`, `^, and`, "since its start, await of LUN 1.07 through fs1 was 24.1 ms", ""),
	part(`^report/sentence/because\.go during`, `.`, "", ", await of LUN 1.07 through fs1 was 24.1 ms"),
	part(`^report/sentence/because\.go level`, `.`, "12 % of its requests and 2 % of its peers' requests are slow (", ")"),
	part(`^report/sentence/because\.go measured`, `^of segments`, "retr_out of fs3: 0.07 %", ""),
	part(`^report/sentence/because\.go measured`, `^,`, "await of sdb 24.1 ms", ""),
	part(`^report/sentence/because\.go its`, `.`, "since its start, await of LUN 1.07 was 24.1 ms, and for", "(primary) 6.68 ms"),
	part(`^report/sentence/because\.go through`, `.`, "since its start, await of", "was 24.1 ms"),
	part(`^report/sentence/headline\.go alone`, `^[,(;]`, slowLUN, ""),
	part(`^report/sentence/headline\.go lost`, `^of`, "fs1 and fs2 lost 3 paths", ""),
	part(`^report/sentence/headline\.go lost`, `^no longer uses`, "fs1", "3 paths"),
	part(`^report/sentence/headline\.go lost`, `^(no longer|did not)`, "fs1 and fs2", "3 paths"),
	part(`^report/sentence/headline\.go otherRequests`, `^;`, "server fs1 serves 3.2 times as much as its peers", ""),
	part(`^report/sentence/headline\.go slower`, `.`, "LUN 1.07 answers", "slower than its peers"),
	part(`^report/sentence/headline\.go`, `^(is|was|has|had|answers|answered|carries|carried|stands|stood|loses|lost) `, "fs1", ""),
	part(`^report/sentence/past\.go before`, `^[,;]`, "LUN 1.08 answers 4.1 times slower than before", ""),
	part(`^report/sentence/past\.go onceIn`, `.`, "a healthy LUN would look this slow", ""),
	part(`^report/sentence/limits\.go paused`, `^[:;]`, "server fs1 stands still again and again", ""),
	part(`^report/sentence/limits\.go atLimit`, `^\(`, "drive sdb is so hot that it slows itself down", ""),
	part(`^report/sentence/limits\.go atLimit`, `^;`, "server fs1 has a file system that is nearly full", ""),
	part(`^report/sentence/limits\.go (roomOf)`, `.`, "server fs1 has a file system that is nearly full:", ""),
	part(`^report/sentence/limits\.go (limitOf)`, `.`, "LUN 1.07 is limited to", ""),
	part(`^report/sentence/limits\.go (waitsAt)`, `.`, "a request takes", ""),
	part(`^report/sentence/limits\.go $`, `^(its|no|all|a) `, "server fs1 stands still again and again; cause:", ""),
	part(`^report/sentence/load\.go asked`, `^(works|worked|is busy)`, "a request takes 24.1 ms, including 6.68 ms of waiting; the device", "for 3.2 ms (its peers: 1.5 ms)"),
	part(`^report/sentence/look\.go LookReason`, `^: `, "the component has more work (120 requests a second, peers 40)", ""),
	part(`^report/sentence/look\.go LookHost`, `^; `, "3 of 8 components are slow", ""),
	part(`^report/sentence/look\.go LookSure`, `^(in|,) `, "sdb differs clearly from its peers", ""),
	part(`^report/sentence/look\.go by`, `^of `, "3 outputs", ""),
	part(`^report/sentence/nothing\.go noData`, `^\. `, "Nothing could be judged: there are no data", ""),
	part(`^report/sentence/nothing\.go Nothing`, `^a verdict`, "Nothing could be judged:", ""),
	part(`^report/sentence/nothing\.go $`, `^there is`, "Nothing could be judged, because", ""),
	part(`^report/sentence/reasons\.go`, `^of the`, "free bytes of sdb 12 GB (97 %", ", threshold 95)"),
	part(`^report/sentence/reasons\.go`, `^(units|percentage|times|time steps|MB/s|%) ?`, "rd_sec of sdb 66.6 MB/s, its peers 38.4 MB/s (3.2", ", threshold 1.5)"),
	part(`^report/sentence/reasons\.go`, `^(longer waits|more |lost segments)`, "Half of the servers have", ", so limpet blames no server"),
	part(`^report/sentence/ruledout\.go NotChecked`, `^a comparison`, "Not checked:", ""),
	part(`^report/sentence/ruledout\.go NotChecked`, `.`, "Not checked: another cause (", ")"),
	part(`^report/sentence/(ruledout|past)\.go`, `^(a healthy LUN|the comparison is)`, "Ruled out: another cause (", ")"),
	part(`^report/sentence/ruledout\.go|^report/sentence/past\.go notPast`, `^(a |separate |lost paths$)`, "Ruled out:", ""),
	part(`^report/sentence/ruledout\.go|^report/sentence/past\.go notPast`, `^[a-z0-9]`, "Ruled out: another cause (", ")"),
	part(`^report/sentence/steps\.go located`, `^(server|slot|enclosure|drawer|controller|array|pool|model|serial|WWN)`, "The component is 1.07:", ""),
	part(`^report/sentence/steps\.go guarded`, `^[a-z]`, "Do not remove this component:", ""),
	part(`^report/sentence/witness\.go`, `^: `, "witness: fs1: 3 media errors", ""),
	part(`^report/sentence/witness\.go $`, `^[a-zA-Z0-9]`, "witness: fs1: smartctl of sdb reports:", ""),
	part(`^report/sentence/writer\.go When`, `^[,]`, "since 02:00", ""),
	part(`^report/sentence/writer\.go $`, `^,`, "from 02:00 to 08:00", ""),
	part(`^report/sentence/writer\.go start`, `.`, "since", ""),
	part(`^report/sentence/lacks\.go $`, `^(faults|network|packet)`, "These files have no data of disks, so", "cannot be seen."),
	part(`^report/sentence/lacks\.go $`, `^(These|Fewer|The interval)`, "", ", so network faults cannot be seen."),
	part(`^report/sentence/lacks\.go lack`, `^The topology [^,]*$`, "", ", so network faults cannot be seen."),
	part(`^report/action/drivers\.go`, `^(the state of|the command)`, "Check after: zpool status tank; expected:", ""),
	part(`^report/action/drivers\.go`, `^at least two|^sdb is failed`, "Check after: multipath -ll; expected:", ""),
	part(`^report/action/drivers\.go`, `^every |^the |^osd`, "Check after: ceph osd tree; expected:", ""),
	part(`^report/action/drivers\.go`, `^(let|store|answer|take|send) `, "Would do:", ""),
	part(`^report/action/drivers\.go`, `^(replicas|raidz|three paths)`, "this command needs the redundancy", ""),
	part(`^live/top/layout\.go GroupLine`, `^[,;]`, "peer group old/3, 12 drives", ""),
	part(`^live/top/print\.go sentence`, `^(,|since|or before)`, "sdb: latency 24.1 ms", ""),
	part(`^live/action/verify\.go String`, `^: `, "a request to the group took 24.1 ms before the action and 6.68 ms after it", ""),
	part(`^live/action/advance\.go printed`, `^\(`, "a check before the action failed", ""),
	part(`^live/announce/store\.go`, `^; `, "the history lacks sa05.seg", ""),
	part(`^ingest/selection_files\.go`, `^of `, "none of 3 files has data", ""),
	part(`^ingest/scrape/client\.go hint`, `^: `, "the target answers 404 Not Found", ""),
	part(`^ingest/store/connect\.go hint`, `^: `, "the store cannot be read: status 404", ""),
	part(`^ingest/scrape/scraper\.go beginning`, `^, `, "the target shows no disks and no network interfaces", ""),
	part(`^ingest/activity/lacks\.go`, `^(let|use|add) `, "no file has data of TCP connections, so these metrics have no values: cwnd_in;", ""),
	part(`^ingest/activity/lacks\.go`, `^(no file has|the topology file names no)[^,]*$`, "", ", so these metrics have no values: cwnd_in and retr_in"),
	part(`^ingest/tables/own_files\.go`, `^(give|name|open) `, "study.json is not a table but a study of limpet:", ""),
	part(`^ingest/tables/own_files\.go`, `^an? `, "sa05 is not a table but", ""),
	part(`^ingest/tables/recognise\.go`, `^(an? |text)`, "sa05 is not an activity file but", ""),
	part(`^ingest/tables/faults\.go $`, `^(not numeric|below|implausibly)`, "3 values are", "and counted as missing (the first value is in line 12)"),
	part(`^ingest/tabular/fault\.go $`, `^is `, `"12x" in column await`, ""),
	part(`^ingest/tabular/fault\.go String`, `^no `, "line 12:", ""),
	part(`^ingest/tabular/clock(_guess)?\.go (Hint|formatHint)`, `^write`, "the time of a line cannot be read;", ""),
	part(`^ingest/tabular/column_number\.go numberHint`, `.`, "3 values are not numeric and counted as missing;", ""),
	part(`^ingest/tabular/clock\.go Format`, `.`, "3 lines are left out, because the time is not", ""),
	part(`^ingest/tabular/parquet_page\.go $`, `.`, "column await has the type BOOLEAN, which limpet does not read; write the column as", ""),
	part(`^ingest/tabular/parquet_(bound|thrift)\.go`, `^its `, "the Parquet file cannot be read:", ""),
	part(`^ingest/tool/print\.go`, `^(that are not|[a-z]+ devices( that are not drives)?|dm devices|loop drives)$`, "these devices are left out: 3", ""),
	part(`^ingest/tool/`, `^(text|XML) of |^JSON of [a-z]+$|^perf dumps of`, "limpet reads", ""),
	part(`^record/sysstat/append\.go traits`, `.`, "sa05 cannot be continued, because the file has", ""),
	part(`^record/sysstat/part\.go`, `^: its`, "3 records have the same times as records of sa06; limpet uses the records of that file", ""),
	part(`^record/sysstat/sysstat\.go String`, `^, `, "/var/log/sysstat/sa05: offset 81920: the record header is damaged", ""),
	part(`^record/sysstat/header\.go`, `^(first bytes|file header|activity list)$`, "the file ends inside its", ""),
	part(`^record/(sadf/sadf\.go noun)`, `.`, "/var/log/sysstat/sa05: the file holds no", ""),
	part(`^record/agent/cost\.go`, `.`, "limpet cannot read", ""),
	part(`^internal/post/post\.go`, `^, which`, "https://alerts.example.net answers 301 Moved Permanently", ""),
	part(`^internal/bounded/duration`, `^a time`, "--interval must be", "between 1s and 1h"),
	part(`^internal/bounded/duration`, `^, such`, "--interval must be a time between 1s and 1h", ""),
	part(`^internal/bounded/`, `^an? (number|time)`, "--keep-bytes must be", "between 1M and 100T"),
	part(`^internal/bounded/`, `^, such`, "--keep-bytes must be a number of bytes between 1M and 100T", ""),
	part(`^internal/bounded/bounded\.go Error`, `^must`, "--keep", ""),
	part(`^internal/bounds/bounds\.go String`, `.`, "0 is not possible for workers: give", ""),
	part(`^internal/listener/listener\.go hint`, `^: `, "no connection can be accepted; limpet tries again: too many open files", ""),
	part(`^engine/(clockskew|onset|window)/`, `^[a-z ]+( \d+)?$`, "the saved state has 3", ", and these settings have 8"),
	part(`^internal/version/version\.go fill`, `^, `, "commit 9f484f05", ""),
	part(`^internal/yamlfile/suggest\.go`, `.`, `an entry of arrays has no setting "zone";`, ""),
	part(`.`, `^an? (model|policy|result of limpet study|description file of [a-z ]+|table of slowdowns|configuration file|topology file|events file|truth file|certificate|file of [a-z ]+|secret|list of written files|note of a store|topology|state file of --changes)$`, tooLarge, "; name another file"),
	part(`^(server|topology|report/action|ingest/store|ingest/tables|lab/simulate)`, `^(an?|the) (user|token|alertmanager|webhook|log|job|event|entry of [a-z]+|part|rule|policy|configuration|store|name|server|array|controller|kind of [a-z ]+|effect)$`, "line 12:", `has no setting "zone"; it has the settings "name" and "url"`),
}

// complete puts examples around a text that is a part of a sentence.
func (p *Phrase) complete() {
	place, text := p.Package+"/"+p.File+" "+p.Function, p.Example()
	if p.Function == "Headline" {
		return
	}
	for _, w := range wholes {
		if !w.place.MatchString(place) || !w.text.MatchString(text) {
			continue
		}
		if w.before != "" {
			space := " "
			if len(text) > 0 && (text[0] == ',' || text[0] == ';' || text[0] == ':' || text[0] == '.') || w.before[len(w.before)-1] == '(' {
				space = ""
			}
			p.Text = append([]Segment{{Example: w.before}, {Text: space}}, p.Text...)
		}
		if w.after != "" {
			space := " "
			if c := w.after[0]; c == ',' || c == ';' || c == ':' || c == '.' || c == ')' {
				space = ""
			}
			p.Text = append(p.Text, Segment{Text: space}, Segment{Example: w.after})
		}
		return
	}
}
