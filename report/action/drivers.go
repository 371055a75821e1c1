package action

import (
	"cmp"
	"regexp"
	"strings"

	"github.com/limpet-storage/limpet/internal/lazyregexp"
	"github.com/limpet-storage/limpet/topology"
)

// Driver holds the commands of an action with one effect on one kind of storage. The drivers of
// limpet have no other commands than those in docs/act.md; a test compares the two. Words in braces
// stand for the names of the part. Storage and effect identify a driver.
type Driver struct {
	Storage string
	Effect  Effect
	For     string   // redundancy that the driver is for, in words
	What    string   // text after "Proposed action:"
	Guards  []Check  // all must hold before the action
	Do      Command  // the action
	State   Query    // query of the state: normal before the action, masked after it, normal after the undo
	Undo    Command  // reverses the action
	Note    string   // remark for an operator; empty: none
	fits    fitsFunc // reports whether the driver is for this redundancy

	external bool // the driver is not limpet's: a site has written it
}

type fitsFunc func(*topology.Component, topology.Redundancy) bool

// Names holds the names of a part, by the words in braces.
type Names map[string]string

// Steps holds the steps of an action on one part: the driver's commands, with the names of the part
// filled in.
type Steps struct {
	Driver *Driver
	Names  Names
	What   string
	Guards []Check
	Do     Command
	State  Query
	Undo   Command
}

// Steps returns the driver's commands with the names of a part filled in.
func (v *Driver) Steps(names Names) Steps {
	s := Steps{Driver: v, Names: names, What: fill(v.What, names), Do: v.Do.of(names), State: v.State.of(names), Undo: v.Undo.of(names)}
	for _, g := range v.Guards {
		s.Guards = append(s.Guards, g.of(names))
	}
	return s
}

// Check is a command and the answer that it must have.
type Check struct {
	Command Command
	Wants   string
	holds   holdsFunc
	names   Names
}

// holdsFunc returns how the answer of a command differs from the wanted answer; nil: it does not
// differ.
type holdsFunc func(names Names, answer string) error

// Holds returns how an answer differs from the wanted answer; nil: it does not differ. It is for
// the answer of a command that succeeded.
func (c Check) Holds(answer string) error { return c.holds(c.names, answer) }

// State is the state of a part, as the storage reports it.
type State string

// The states.
const (
	Normal State = "normal" // as before the action
	Masked State = "masked" // as after the action
	Other  State = "other"
)

// Query is a command whose answer shows the state of a part. It changes nothing and can be
// repeated. After a crash it shows whether an action was carried out.
type Query struct {
	Command Command
	Masked  string // answer after the action, in words
	Normal  string // answer before the action and after the undo, in words
	read    readFunc
	names   Names
}

type readFunc func(names Names, answer string) (State, error)

// Read returns the state in an answer. An answer that it does not understand is an error.
func (q Query) Read(answer string) (State, error) { return q.read(q.names, answer) }

// Command is a program with its arguments, or a file of the kernel that is read or written. It does
// not run in a shell.
type Command struct {
	Server string   // server that runs the command; empty: any machine that has the tool and may use it
	Args   []string // program and arguments
	File   string   // file that is read or written, instead of Args
	Text   string   // text that is written into File; empty: File is read

	// The other fields are for drivers that a site has written.
	Input      string // text that the program reads, or that is posted to URL
	URL        string // address of a web service, instead of Args
	BearerFile string // file with a token for URL
	step       string // step that Input is made for: check, do or undo
}

// String returns the command as a person would type it into a shell.
func (c Command) String() string {
	if c.Server == "" {
		return c.Line()
	}
	return "ssh " + quote(c.Server) + " " + quote(c.Line())
}

// Line returns the command as a person would type it into a shell on the server.
func (c Command) Line() string {
	switch {
	case c.File != "" && c.Text != "":
		return "echo " + quote(c.Text) + " > " + quote(c.File)
	case c.File != "":
		return "cat " + quote(c.File)
	}
	if c.URL != "" {
		return "curl -d " + quote(c.Input) + " " + quote(c.URL)
	}
	words := make([]string, len(c.Args))
	for i, a := range c.Args {
		words[i] = quote(a)
	}
	if c.Input != "" {
		return "echo " + quote(c.Input) + " | " + strings.Join(words, " ")
	}
	return strings.Join(words, " ")
}

var plainWord = lazyregexp.New(`^[A-Za-z0-9_./:=+%{}-]+$`)

// quote returns a text as one word of a command for a shell. Braces stay as they are: commands have
// placeholders such as {server}.
func quote(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return Quote(text)
}

// Quote returns a text as one word of a command for a shell. The shell expands nothing in it.
func Quote(text string) string {
	if plainWord.MatchString(text) && !strings.Contains(text, "{") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

func run(args ...string) Command             { return Command{Args: args} }
func onServer(args ...string) Command        { return Command{Server: "{server}", Args: args} }
func read(file string) Command               { return Command{Server: "{server}", File: file} }
func write(file, text string) Command        { return Command{Server: "{server}", File: file, Text: text} }
func hasReplicas(r topology.Redundancy) bool { return r.Copies && r.Width > 0 }

// Guards and queries that several drivers share.
var (
	cephIsClean   = Check{Command: run("ceph", "pg", "stat", "--format", "json"), Wants: "every PG is active+clean (a scrub is allowed)", holds: pgsAreClean}
	cephMayStop   = Check{Command: run("ceph", "osd", "ok-to-stop", "{osd}"), Wants: "the command succeeds", holds: always}
	cephHasRoom   = Check{Command: run("ceph", "health", "detail", "--format", "json"), Wants: "the health checks do not include OSD_NEARFULL, OSD_BACKFILLFULL, OSD_FULL, OSD_DOWN or PG_DEGRADED", holds: healthIsGood}
	cephDump      = run("ceph", "osd", "dump", "--format", "json")
	cephAllIn     = Check{Command: cephDump, Wants: "every OSD is up and in, and the primary_affinity of {osd} is 1", holds: osdsAreIn}
	zpoolStatus   = onServer("zpool", "status", "-p", "{pool}")
	zpoolIsSound  = Check{Command: zpoolStatus, Wants: "the state of the pool and of all its devices is ONLINE, and no resilver or scrub is in progress", holds: poolIsSound}
	zpoolSitOut   = onServer("zpool", "get", "-H", "-o", "value", "sit_out", "{pool}", "{device}")
	mdIsWhole     = Check{Command: read("/sys/block/{array}/md/degraded"), Wants: "0", holds: equals("0")}
	mdIsIdle      = Check{Command: read("/sys/block/{array}/md/sync_action"), Wants: "idle", holds: equals("idle")}
	mdMemberState = read("/sys/block/{array}/md/dev-{device}/state")
	arrayStatus   = onServer("limpet", "raid", "status", "--at", "{socket}", "--format", "json")
	arrayIsWhole  = Check{Command: arrayStatus, Wants: "all members of the array are active, including member {member}; no member is masked, and no rebuild or scrub is running", holds: arrayIsSound}
	pathsShown    = onServer("multipathd", "show", "paths", "format", "%d:%m:%t:%T")
)

// drivers lists all drivers.
var drivers = []Driver{
	{
		Storage: "ceph", Effect: Relieve, For: "replicas", What: "let other OSDs answer the reads of {osd}",
		Guards: []Check{cephIsClean, cephHasRoom, cephAllIn},
		Do:     run("ceph", "osd", "primary-affinity", "{osd}", "0"),
		State:  Query{Command: cephDump, Masked: "the primary_affinity of {osd} is 0", Normal: "the primary_affinity of {osd} is 1", read: osdAffinity},
		Undo:   run("ceph", "osd", "primary-affinity", "{osd}", "1"),
		Note:   "Reads of replicated pools become faster. Writes still wait for the OSD.",
		fits:   func(_ *topology.Component, r topology.Redundancy) bool { return hasReplicas(r) },
	},
	{
		Storage: "ceph", Effect: TakeOut, For: "replicas or erasure coding", What: "store no data on {osd}",
		Guards: []Check{cephIsClean, cephHasRoom, cephAllIn, cephMayStop},
		Do:     run("ceph", "osd", "out", "{osd}"),
		State:  Query{Command: cephDump, Masked: "{osd} is not in", Normal: "{osd} is in", read: osdIsIn},
		Undo:   run("ceph", "osd", "in", "{osd}"),
		Note:   "Ceph copies the data of the OSD to other OSDs. After the undo, Ceph copies the data back.",
		fits:   func(_ *topology.Component, r topology.Redundancy) bool { return r.Width > 0 },
	},
	{
		Storage: "md", Effect: Relieve, For: "raid1", What: "let the other drives of {array} answer the reads of {device}",
		Guards: []Check{mdIsWhole, mdIsIdle, {Command: mdMemberState, Wants: "in_sync", holds: equals("in_sync")}},
		Do:     write("/sys/block/{array}/md/dev-{device}/state", "writemostly"),
		State:  Query{Command: mdMemberState, Masked: "in_sync,write_mostly", Normal: "in_sync", read: oneOf("in_sync,write_mostly", "in_sync")},
		Undo:   write("/sys/block/{array}/md/dev-{device}/state", "-writemostly"),
		Note:   "Writes still wait for the drive.",
		fits: func(c *topology.Component, _ topology.Redundancy) bool {
			return strings.EqualFold(strings.TrimSpace(c.Redundancy), "raid1")
		},
	},
	{
		Storage: "zfs", Effect: Relieve, For: "raidz or draid", What: "answer the reads of {device} from parity",
		Guards: []Check{zpoolIsSound, {Command: zpoolSitOut, Wants: "off", holds: equals("off")}},
		Do:     onServer("zpool", "set", "sit_out=on", "{pool}", "{device}"),
		State:  Query{Command: zpoolSitOut, Masked: "on", Normal: "off", read: oneOf("on", "off")},
		Undo:   onServer("zpool", "set", "sit_out=off", "{pool}", "{device}"),
		Note:   "This command needs OpenZFS 2.4 or later. Writes still wait for the drive.",
		fits:   func(c *topology.Component, _ topology.Redundancy) bool { return isParityOfZFS(c) },
	},
	{
		Storage: "zfs", Effect: TakeOut, For: "raidz2, raidz3 or draid", What: "take {device} offline until the next import of {pool}",
		Guards: []Check{zpoolIsSound},
		Do:     onServer("zpool", "offline", "-t", "{pool}", "{device}"),
		State:  Query{Command: zpoolStatus, Masked: "the state of {device} is OFFLINE", Normal: "the state of {device} is ONLINE", read: deviceState},
		Undo:   onServer("zpool", "online", "{pool}", "{device}"),
		Note:   "After the undo, ZFS resilvers the data that were written meanwhile.",
		fits:   func(c *topology.Component, _ topology.Redundancy) bool { return isParityOfZFS(c) },
	},
	{
		Storage: "multipath", Effect: TakeOut, For: "three or more paths (in the topology: 3 or more replicas)", What: "send no requests over the path {device}",
		Guards: []Check{{Command: pathsShown, Wants: "at least two other paths of the same multipath device are active and ready", holds: twoOtherPaths}},
		Do:     onServer("multipathd", "fail", "path", "{device}"),
		State:  Query{Command: pathsShown, Masked: "path {device} is failed", Normal: "path {device} is active", read: pathState},
		Undo:   onServer("multipathd", "reinstate", "path", "{device}"),
		fits:   func(_ *topology.Component, r topology.Redundancy) bool { return hasReplicas(r) },
	},
	{
		Storage: "limpet", Effect: Relieve, For: "data members, P and Q (in the topology: raid6 or 8+2)", What: "compute the data of member {member} from the other members of the array",
		Guards: []Check{arrayIsWhole},
		Do:     onServer("limpet", "raid", "mask", "--at", "{socket}", "--incident", "{incident}", "--by", "limpet", "{member}"),
		State:  Query{Command: arrayStatus, Masked: "member {member} is masked because of incident {incident}", Normal: "member {member} is not masked", read: arrayMember},
		Undo:   onServer("limpet", "raid", "unmask", "--at", "{socket}", "--incident", "{incident}", "{member}"),
		Note:   "Writes still wait for the drive. The array removes the mask when the drive has recovered.",
		fits:   func(_ *topology.Component, r topology.Redundancy) bool { return !r.Copies && r.Spares == 2 },
	},
}

// Drivers returns all drivers.
func Drivers() []Driver { return append([]Driver(nil), drivers...) }

// Lookup returns the driver of a storage and an effect; nil: there is none.
func Lookup(storage string, e Effect) *Driver {
	for i := range drivers {
		if d := &drivers[i]; d.Storage == storage && d.Effect == e {
			return d
		}
	}
	return nil
}

// driverOf returns the driver for a component and an effect; nil: there is none.
func driverOf(c *topology.Component, r topology.Redundancy, e Effect) *Driver {
	for i := range drivers {
		if d := &drivers[i]; d.Storage == c.Storage && d.Effect == e && d.fits(c, r) {
			return d
		}
	}
	return nil
}

func isParityOfZFS(c *topology.Component) bool {
	_, vdev, _ := strings.Cut(c.Pool, "/")
	return strings.HasPrefix(vdev, "raidz") || strings.HasPrefix(vdev, "draid")
}

// Names in commands have no character with a special meaning for a shell, an option parser or a
// path.
var (
	osdName    = lazyregexp.New(`^(?:osd\.)?(\d{1,6})$`)
	arrayName  = lazyregexp.New(`^md[0-9A-Za-z_]{1,32}$`)
	safeName   = lazyregexp.New(`^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$`)
	socketPath = lazyregexp.New(`^(?:/[A-Za-z0-9_][A-Za-z0-9_.:-]*)+$`)
	serverName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`)
)

// namesOf returns the names in braces for a component and an incident. If the topology lacks a
// name, or the name has characters that no command may contain, missing is the setting of the
// topology file for the name.
func namesOf(c *topology.Component, incident string) (names Names, missing string) {
	names = Names{"server": hostOf(c)}
	if !serverName.MatchString(names["server"]) {
		return nil, "server"
	}
	take := func(as, text, setting string, form interface{ MatchString(string) bool }) {
		if !form.MatchString(text) && missing == "" {
			missing = setting
		}
		names[as] = text
	}
	switch c.Storage {
	case "ceph":
		take("osd", c.Volume, "volume", osdName)
		names["osd"] = "osd." + strings.TrimPrefix(c.Volume, "osd.")
	case "md":
		take("array", c.Pool, "pool", arrayName)
		take("device", c.Device, "device", safeName)
	case "zfs":
		pool, _, _ := strings.Cut(c.Pool, "/")
		take("pool", pool, "pool", safeName)
		take("device", c.Device, "device", safeName)
	case "limpet":
		take("socket", c.Pool, "pool", socketPath)
		take("incident", incident, "incident", safeName)
		take("member", cmp.Or(c.Volume, c.Device), "volume", safeName)
	case "multipath":
		take("device", c.Device, "device", safeName)
	}
	return names, missing
}

var inBraces = regexp.MustCompile(`\{[a-z]+\}`)

// fill returns a text in which the words in braces are replaced by the names of a component.
func fill(text string, names Names) string {
	return inBraces.ReplaceAllStringFunc(text, func(key string) string { return names[key[1:len(key)-1]] })
}

func (c Command) of(names Names) Command {
	out := Command{Server: fill(c.Server, names), File: fill(c.File, names), Text: c.Text, URL: c.URL, BearerFile: c.BearerFile, step: c.step}
	if c.step != "" { // arguments that a site configured have no words in braces
		out.Args, out.Input = c.Args, input(c.step, names)
		return out
	}
	for _, a := range c.Args {
		out.Args = append(out.Args, fill(a, names))
	}
	return out
}

func (c Check) of(names Names) Check {
	return Check{c.Command.of(names), fill(c.Wants, names), c.holds, names}
}

func (q Query) of(names Names) Query {
	return Query{q.Command.of(names), fill(q.Masked, names), fill(q.Normal, names), q.read, names}
}
