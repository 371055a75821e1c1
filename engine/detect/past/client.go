package past

import (
	"cmp"
	"math"
	"slices"

	"github.com/limpet-storage/limpet/engine/blame"
	"github.com/limpet-storage/limpet/engine/criteria"
	"github.com/limpet-storage/limpet/engine/finding"
	"github.com/limpet-storage/limpet/engine/table"
	"github.com/limpet-storage/limpet/engine/window"
	"github.com/limpet-storage/limpet/internal/quantile"
	"github.com/limpet-storage/limpet/internal/state"
	"github.com/limpet-storage/limpet/topology"
)

// Clients compares the present latency of each peer group of drives with the latency of the group
// in the last hour. If the requests of a group became slower, an episode of the group begins. If at
// the same time one client exchanges many more bytes with the servers of the group, the client is
// the reason. Clients needs only minutes of data, because two changes at the same time are
// required: the latency of the group rises, and the traffic of the client rises. If there is no
// such client, Clients returns no finding. Then only [Detector] can find the slowness, and it needs
// days of data.
//
// The input is the rows of the stream, with their original step. Before the first row with the
// traffic of clients, Clients does nothing.
type Clients struct {
	criteria criteria.Options
	facts    *window.Facts
	step     int64 // seconds between rows
	ticks    window.Ticks
	keep     float64 // factor by which the weight of earlier ticks is multiplied at each tick: the half-life is SameCauseSeconds, about an hour
	keepLong float64 // the same factor for averages over days (client.usual): the half-life is RememberSeconds
	keepNow  float64 // the same factor for averages over minutes (client.now): the half-life is ten minutes (recentTicks × TickSeconds), as for the field `recent` of type course
	known    bool    // at least one row had the traffic of clients
	drives   []driveLevel
	groups   []clientGroup // by peer group
	sorted   []float64
}

// driveLevel holds the latency of a drive before and during an episode (level). The value of a tick
// is the mean of the natural logarithms of the latency in the rows of the tick.
type driveLevel struct {
	level
	steps, latency, requests float64 // sums of the present tick: number of rows with requests, logarithms of the latency, number of requests
}

// clientGroup holds the drives of a peer group, and the clients of their servers.
type clientGroup struct {
	members  []int // drives
	servers  []int
	latency  level // root mean square of the latency over the requests of all drives, as a natural logarithm
	clients  []client
	unlisted level   // upper bound for the traffic of a client that the rows do not name (unlistedBound)
	bound    float64 // sum of this upper bound over the rows of the present tick
	rows     float64 // number of rows in the present tick that have the traffic of clients
	since    int64   // Unix time at which the present episode began; 0 if the group is as fast as before
	blamed   bool    // a client was surely the reason of the present episode
	waited   float64 // total additional wait of all requests since the episode began, in the unit of latency
}

// client is a client with much traffic. One entry has an empty name: it holds the total traffic of
// all clients that the rows do not name.
type client struct {
	name    string
	traffic level   // bytes per second, over all servers of the group
	tick    float64 // bytes per second in the present tick, summed over its rows
	ticks   float64 // number of ticks in which its traffic was known
	usual   float64 // mean of traffic over the last days
	now     float64 // mean of traffic over the last minutes
}

const (
	// clientTickSeconds is the time between two comparisons of a group with its last hour, in
	// seconds. It is short, because a recording of only some minutes must have enough ticks before
	// and after a change.
	clientTickSeconds = 5
	// minClientTicks is the minimum number of ticks before an episode (a time in which the drives
	// of a group are slower than before), and also the minimum number of ticks in the episode. With
	// fewer ticks, the episode is not compared with the time before.
	minClientTicks = recentTicksOfLevel
)

// NewClients returns a detector before its first row. The parameter step is the number of seconds
// between rows of the stream.
func NewClients(c criteria.Options, f *window.Facts, step int64) *Clients {
	d := &Clients{
		criteria: c, facts: f, step: step, ticks: window.NewTicks(clientTickSeconds, step),
		drives: make([]driveLevel, len(f.System.Components)), groups: make([]clientGroup, len(f.System.Groups)),
	}
	seconds := float64(d.ticks.Seconds)
	d.keep = math.Exp2(-seconds / float64(c.SameCauseSeconds))
	d.keepLong = math.Exp2(-seconds / float64(c.RememberSeconds))
	d.keepNow = math.Exp2(-seconds / (recentTicks * TickSeconds))
	for i := range d.drives {
		d.drives[i].level = newLevel()
	}
	for i := range d.groups {
		d.groups[i].latency, d.groups[i].unlisted = newLevel(), newLevel()
	}
	for _, at := range f.Attachments {
		g := &d.groups[f.GroupOf(at)]
		g.members = append(g.members, at)
		if s := f.ServerOf[at]; s >= 0 && !slices.Contains(g.servers, s) {
			g.servers = append(g.servers, s)
		}
	}
	return d
}

// Row adds a row of the stream to the sums of the present tick. It reports whether a tick ends with
// the row; the caller then calls Findings.
func (d *Clients) Row(row *table.Row) bool {
	if d.known = d.known || row.HasClients(); !d.known {
		return false
	}
	lead := row.Values[d.facts.Lead]
	for _, c := range d.facts.Attachments {
		if requests := d.facts.Requests(row, c, d.step); lead[c] > 0 && requests > 0 {
			v := &d.drives[c]
			v.steps++
			v.latency += math.Log(lead[c])
			v.requests += requests
		}
	}
	for g := range d.groups {
		d.groups[g].addClients(row)
	}
	if d.ticks.Advance(row.End, true) == 0 {
		return false
	}
	for g := range d.groups {
		d.tick(&d.groups[g], row.End)
	}
	return true
}

// addClients adds the traffic of each client in a row to the sums of the present tick.
func (g *clientGroup) addClients(row *table.Row) {
	counted := false
	for _, s := range g.servers {
		if s >= len(row.Gauges) || len(row.Gauges[s].Clients) == 0 {
			continue
		}
		list := row.Gauges[s].Clients
		counted = true
		bound := unlistedBound(list)
		g.bound += bound
		for i := range g.clients {
			if !slices.ContainsFunc(list, func(x table.ClientTraffic) bool { return x.Name == g.clients[i].name }) && g.clients[i].name != "" {
				g.clients[i].tick += bound
			}
		}
		for _, x := range list {
			at := slices.IndexFunc(g.clients, func(c client) bool { return c.name == x.Name })
			if at < 0 {
				at, g.clients = len(g.clients), append(g.clients, client{name: x.Name, traffic: g.unlisted})
			}
			g.clients[at].tick += x.BytesPerSecond
		}
	}
	if counted {
		g.rows++
	}
}

// unlistedBound returns an upper bound for the traffic between a server and a client that the
// server's list does not name. Such a client has no more traffic than the named client with the
// least traffic, and no more than all unnamed clients together.
func unlistedBound(list []table.ClientTraffic) float64 {
	rest, smallest := 0.0, math.Inf(1)
	for _, x := range list {
		if x.Name == "" {
			rest = x.BytesPerSecond
		} else {
			smallest = min(smallest, x.BytesPerSecond)
		}
	}
	return min(rest, smallest)
}

// tick ends a tick of a group. It adds the values of the tick to the records (level) of the group,
// its drives and its clients. It also begins or ends an episode: a time in which the drives of the
// group are slower than before.
func (d *Clients) tick(g *clientGroup, end int64) {
	episode := g.since > 0
	busy, requests, squares := 0, 0.0, 0.0 // drives with requests; number of requests; sum of the squared latencies of these requests
	for _, c := range g.members {
		v := &d.drives[c]
		own := math.NaN()
		if v.steps > 0 {
			own = v.latency / v.steps
			busy, requests, squares = busy+1, requests+v.requests, squares+v.requests*math.Exp(2*own)
		}
		if episode && v.before.n > 0 && v.steps > 0 {
			g.waited += v.requests * max(math.Exp(own)-math.Exp(v.before.mean), 0)
		}
		v.push(own, episode, d.keep)
		v.steps, v.latency, v.requests = 0, 0, 0
	}
	// A client waits for the slowest of the drives that its request needs. A client with much
	// traffic first overloads the drive with the most work. So long waits count more: the latency
	// of the group is the root mean square over its requests. If at least half of the drives have
	// no requests, this latency is unknown, because it would depend on which drives have requests.
	latency := math.NaN()
	if 2*busy > len(g.members) {
		latency = math.Log(squares/requests) / 2
	}
	g.latency.push(latency, episode, d.keep)
	g.pushClients(d, episode)
	switch {
	case !episode:
		d.beginEpisode(g, end)
	case end-g.since > d.criteria.RememberSeconds:
		d.restart(g)
	case end-g.since > unexplainedSeconds && !d.hasClient(g):
		d.levels(g, (*level).shift)
		g.since, g.waited, g.blamed = 0, 0, false
	case !(g.latency.meanOfRecent()-g.latency.before.mean >= d.criteria.HalfShare*(g.latency.since.mean-g.latency.before.mean)):
		d.endEpisode(g)
	}
}

// pushClients adds the traffic of the tick to the records (level) and averages of the clients of a
// group. It then drops all clients except those with the most traffic.
func (g *clientGroup) pushClients(d *Clients, episode bool) {
	mean := func(sum float64) float64 {
		if g.rows == 0 {
			return math.NaN()
		}
		return sum / g.rows
	}
	for i := range g.clients {
		c := &g.clients[i]
		x := mean(c.tick)
		c.tick = 0
		c.traffic.push(x, episode, d.keep)
		if math.IsNaN(x) {
			continue
		}
		c.ticks++
		if !episode {
			keep := min(1-1/c.ticks, d.keepLong)
			c.usual = keep*c.usual + (1-keep)*x
		}
		keep := min(1-1/c.ticks, d.keepNow)
		c.now = keep*c.now + (1-keep)*x
	}
	g.unlisted.push(mean(g.bound), episode, d.keep)
	g.bound, g.rows = 0, 0
	size := func(c *client) float64 { return max(c.traffic.before.mean, c.traffic.since.mean, c.now) }
	slices.SortStableFunc(g.clients, func(a, b client) int {
		return cmp.Or(cmp.Compare(size(&b), size(&a)), cmp.Compare(a.name, b.name))
	})
	g.clients = g.clients[:min(len(g.clients), table.MaxClients+1)]
}

// levels calls the function `do` for each level that belongs to a group: the level of the group,
// and the levels of its clients and drives.
func (d *Clients) levels(g *clientGroup, do func(*level)) {
	do(&g.latency)
	do(&g.unlisted)
	for i := range g.clients {
		do(&g.clients[i].traffic)
	}
	for _, c := range g.members {
		do(&d.drives[c].level)
	}
}

// beginEpisode begins an episode if the drives of a group became clearly slower than before in the
// last ticks (level.recent). The first tick of the episode is the tick after the last tick that was
// not slow.
func (d *Clients) beginEpisode(g *clientGroup, end int64) {
	before := g.latency.before.mean
	least := math.Log(d.criteria.ClearTimes)
	from, slow := recentTicksOfLevel, moments{}
	for ; from > 0; from-- {
		x := g.latency.recent[from-1]
		if x < before+d.criteria.HalfShare*least {
			break
		}
		slow.add(x, 1)
	}
	if g.latency.before.n+float64(from) < minClientTicks || 2*slow.n < recentTicksOfLevel || slow.mean < before+least {
		return
	}
	g.since, g.waited = end-int64(recentTicksOfLevel-from)*d.ticks.Seconds, 0
	d.levels(g, func(l *level) { l.begin(from, d.keep) })
}

// endEpisode ends the episode of a group: the time in which its drives are slower than before. If
// no client was blamed for the episode, the latency and traffic of the episode count as normal from
// now on. So the next episode is found only if it is worse.
func (d *Clients) endEpisode(g *clientGroup) {
	d.levels(g, func(l *level) { l.end(g.blamed) })
	g.since, g.waited, g.blamed = 0, 0, false
}

// restart ends the episode of a group: the time in which its drives are slower than before. From
// now on, the latency and traffic of the episode are the usual values.
func (d *Clients) restart(g *clientGroup) {
	d.levels(g, (*level).replace)
	g.since, g.waited, g.blamed = 0, 0, false
}

// Findings returns a finding for each client that makes groups of drives slow, the strongest first.
func (d *Clients) Findings() []finding.Finding {
	var found []finding.Finding
	for g := range d.groups {
		if f, ok := d.finding(&d.groups[g]); ok {
			found = append(found, f)
		}
	}
	// If several groups at one place have findings, only the client of the strongest finding is
	// blamed. The findings about this client are merged into one finding.
	finding.StrongestFirst(found)
	client := map[blame.Place]string{}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool {
		name := f.Evidence[len(f.Evidence)-1].Client
		if _, ok := client[f.Place]; !ok {
			client[f.Place] = name
		}
		return client[f.Place] != name
	})
	found = finding.MergeFindings(found)
	for i := range found {
		found[i].Elsewhere = d.elsewhere(found[i].Members)
	}
	return found
}

// finding returns the finding about a group. It returns false if the group is as fast as before, or
// if no client is the reason.
func (d *Clients) finding(g *clientGroup) (f finding.Finding, ok bool) {
	if g.since == 0 || g.latency.since.n < minClientTicks {
		return f, false
	}
	assumed := d.criteria.HalfShare * math.Log(d.criteria.ClearTimes)
	slower := g.latency.change(assumed)
	list := make([]traffic, len(g.clients))
	for i := range list {
		c := &g.clients[i].traffic
		list[i] = traffic{g.clients[i].name, c.since.mean, c.before.mean}
	}
	n, ok := d.noisy(list)
	if !ok || slower.by < math.Log(d.criteria.ClearTimes) {
		return f, false
	}
	at := slices.IndexFunc(g.clients, func(c client) bool { return c.name == n.name })
	rises := g.clients[at].traffic.change(assumed * (n.now + n.before) / 2)
	// A finding is false only if both changes, of the latency and of the traffic, happen by chance
	// at the same time. So their evidence may be added. But strong evidence of slowness does not
	// show that the client is the reason. So twice the weaker evidence is used instead of the sum.
	nats := 2 * min(slower.nats, rises.nats)
	suspect, incident := d.criteria.Evidence(len(d.facts.Attachments), minuteSeconds) // one minute stands for a step here, because change.nats is evidence per minute
	if nats < suspect {
		return f, false
	}
	end := d.ticks.Last
	f = finding.Finding{
		Class: finding.Past, Kind: finding.NoisyNeighbour, Place: d.place(g), Nats: nats, Sure: nats >= incident,
		Onset:         finding.Onset{At: g.since, Early: g.since - d.ticks.Seconds, Late: g.since + d.ticks.Seconds},
		WaitedSeconds: g.waited * d.facts.LeadSeconds(),
	}
	f.Members, f.Judged = d.slowMembers(g)
	if len(f.Members) == 0 {
		return f, false
	}
	f.Amount = (math.Exp(slower.by) - 1) * g.latency.since.n * float64(d.ticks.Seconds) / (d.criteria.HalfShare * d.criteria.CostSteps * float64(min(d.step, usualStep)))
	if d.facts.CountsRequests() {
		f.Amount = min(f.Amount, f.WaitedSeconds/d.criteria.CostSeconds)
	}
	g.blamed = g.blamed || f.Sure && f.Amount >= 1
	f.Evidence = []finding.Evidence{
		{Metric: finding.PastTime, Component: f.Members[0].Component, Unit: "s", Own: g.latency.before.n * float64(d.ticks.Seconds), Peers: math.NaN(), From: g.since, To: end},
		n.evidence(f.Members[0].Component, g.since, end),
	}
	return f, true
}

// place returns the place to blame: the drive if the group has only one drive, the server if all
// drives of the group are on one server, and otherwise the storage system.
func (d *Clients) place(g *clientGroup) blame.Place {
	switch {
	case len(g.members) == 1:
		return d.facts.PlaceIfAlone(g.members[0])
	case len(g.servers) == 1:
		return blame.Place{Tier: blame.Server, Name: d.facts.System.Servers[g.servers[0]]}
	}
	return blame.Place{Tier: blame.System, Name: cmp.Or(d.facts.System.Name, "everything")}
}

// slowMembers returns the drives of a group that are slower in the present episode than before, and
// the number of drives that were compared.
func (d *Clients) slowMembers(g *clientGroup) (list []finding.Member, judged int) {
	for _, c := range g.members {
		v := &d.drives[c]
		if v.before.n == 0 || v.since.n == 0 {
			continue
		}
		judged++
		x := v.change(d.criteria.HalfShare * math.Log(d.criteria.ClearTimes))
		if x.by < math.Log(d.criteria.SmallestTimes) {
			continue
		}
		off := intervalDeviations * x.deviation
		effect := finding.Effect{Times: math.Exp(x.by), Low: math.Exp(x.by - off), High: math.Exp(x.by + off)}
		list = append(list, finding.Member{
			Component: c, Role: finding.IsSlow, Odd: true, Windows: int(v.since.n), Ratio: effect.Times, Worst: effect.Times, Effect: effect,
			Own: math.Exp(v.since.mean), Peers: math.Exp(v.before.mean), Since: g.since,
		})
	}
	return list, judged
}

// unexplainedSeconds is the time after which an episode without a finding ends, in seconds. The
// slowness has another reason than a client, such as a slow drive, and counts as usual from then
// on. So this slowness does not hide a client that later makes the group even slower. If a client
// is the reason, it is found in the first minute.
const unexplainedSeconds = 2 * minuteSeconds

// hasClient reports whether a client may be the reason of the present episode of a group.
func (d *Clients) hasClient(g *clientGroup) bool {
	_, ok := d.finding(g)
	return ok || g.blamed
}

// minuteSeconds is the length of a minute, in seconds. The size of a change is compared with the
// deviation of the mean over one minute (type minutes).
const minuteSeconds = 60

// intervalDeviations is half the width of the 95 % confidence interval of a mean, in standard
// deviations of the mean. It is more than 1.96, because the noise of neighbouring ticks is
// correlated.
const intervalDeviations = 2.4

// elsewhere counts the drives of the groups that have no member in a finding. The parameter
// `members` has the members of the finding. In the result, Judged is the number of these drives
// that had requests, and Odd is the number of the judged drives whose group is slower than before.
func (d *Clients) elsewhere(members []finding.Member) (t finding.Tally) {
	for g := range d.groups {
		if slices.ContainsFunc(members, func(m finding.Member) bool { return d.facts.GroupOf(m.Component) == g }) {
			continue
		}
		for _, c := range d.groups[g].members {
			if d.drives[c].before.n > 0 {
				t.Judged++
				if d.groups[g].since > 0 {
					t.Odd++
				}
			}
		}
	}
	return t
}

// traffic is the number of bytes that a client exchanges with servers per second.
type traffic struct {
	name        string
	now, before float64
}

// noisyClient is a client that exchanges many more bytes than before.
type noisyClient struct {
	traffic
	share float64 // its share of the additional bytes of all clients (see Clients.noisy)
}

// noisy returns the client that explains why servers became slower. The usual growth is the median
// ratio of the present traffic to the earlier traffic, over the other clients. If the other clients
// exchange less than before, the usual growth is 1, because slow servers make clients exchange
// less. Additional bytes are bytes beyond the usual growth. Two conditions must hold for the
// client: its traffic has grown by clearly more than the usual growth (ClearTimes), and it
// exchanges at least half of the additional bytes of all clients. So if all clients become busier,
// no client is blamed.
func (d *Clients) noisy(list []traffic) (best noisyClient, ok bool) {
	for i := range list {
		x := &list[i]
		d.sorted = d.sorted[:0]
		for j := range list {
			if o := &list[j]; j != i && o.name != "" && o.before > 0 {
				d.sorted = append(d.sorted, o.now/o.before)
			}
		}
		if x.name == "" || len(d.sorted) < minOthers {
			continue
		}
		usual := max(quantile.Median(d.sorted), 1)
		all := 0.0
		for j := range list {
			all += max(list[j].now-usual*list[j].before, 0)
		}
		own := max(x.now-usual*x.before, 0)
		if x.now >= d.criteria.ClearTimes*usual*x.before && own > 0 && own >= max(d.criteria.HalfShare, best.share)*all {
			best, ok = noisyClient{*x, own / all}, true
		}
	}
	return best, ok
}

// evidence returns the traffic of the client now and before, in MB/s. The parameter c is a slow
// component.
func (n *noisyClient) evidence(c int, from, to int64) finding.Evidence {
	const megabyte = 1e6
	return finding.Evidence{
		Metric: finding.MoreClientBytes, Client: n.name, Component: c, Unit: "MB/s", Own: n.now / megabyte, Peers: n.before / megabyte,
		Score: n.share, Scale: finding.ShareOfTraffic, From: from, To: to,
	}
}

// overDays returns the client that explains why components have been slower for minutes to days. It
// compares the traffic of the last minutes with the traffic of the last days.
func (d *Clients) overDays(members []int) (noisyClient, bool) {
	var list []traffic
	var groups []int
	for _, c := range members {
		g := d.facts.GroupOf(c)
		if slices.Contains(groups, g) {
			continue
		}
		groups = append(groups, g)
		for i := range d.groups[g].clients {
			c := &d.groups[g].clients[i]
			at := slices.IndexFunc(list, func(x traffic) bool { return x.name == c.name })
			if at < 0 {
				at, list = len(list), append(list, traffic{name: c.name})
			}
			list[at].now += c.now
			list[at].before += c.usual
		}
	}
	return d.noisy(list)
}

// Explains reports whether the group of a component is slow now, and a client is surely the reason.
// The parameter `slowSince` is the Unix time since which the component is slower than in its past.
// If the component was slow before the client made its group slow, Explains returns false.
func (d *Clients) Explains(c int, slowSince int64) bool {
	g := &d.groups[d.facts.GroupOf(c)]
	return d.isSlowByClient(g) && slowSince >= g.since-TickSeconds
}

// isSlowByClient reports whether a client certainly makes a group slow now.
func (d *Clients) isSlowByClient(g *clientGroup) bool {
	if g.since == 0 {
		return false
	}
	f, ok := d.finding(g)
	return ok && f.Sure
}

// SlowSince returns the earliest Unix time at which a client may have begun to make the group of a
// component slow. This is the start of the episode minus recentTicksOfLevel ticks, because an
// episode is found within this time. SlowSince returns false if no client certainly makes the group
// slow now.
func (d *Clients) SlowSince(c int) (since int64, ok bool) {
	if d.facts.Component(c).Kind != topology.Attachment {
		return 0, false
	}
	g := &d.groups[d.facts.GroupOf(c)]
	return g.since - recentTicksOfLevel*d.ticks.Seconds, d.isSlowByClient(g)
}

// Judged reports whether the present latency of a component is compared with its latency in the
// last hour.
func (d *Clients) Judged(c int) bool {
	v := &d.drives[c]
	return v.before.n >= minClientTicks && !math.IsNaN(v.meanOfRecent())
}

// Forget ends the episode of a component's group: the time in which its drives are slower than
// before. If isNormal is set, the present latency and traffic are the usual values from now on.
func (d *Clients) Forget(c int, isNormal bool) {
	if d.facts.Component(c).Kind != topology.Attachment {
		return
	}
	switch g := &d.groups[d.facts.GroupOf(c)]; {
	case g.since == 0:
	case isNormal:
		d.restart(g)
	default:
		d.endEpisode(g)
	}
}

// State writes or reads the levels of all groups, their drives and their clients. If no row has had
// the traffic of clients, the state is only an empty list.
func (d *Clients) State(c *state.Codec, axes *blame.Axes) {
	known := make([]int64, 0, 1)
	if d.known {
		known = append(known, d.ticks.Last)
	}
	state.List(c, &known, func(c *state.Codec, last *int64) {
		state.Int(c, last)
		state.By(c, axes.Components, d.drives, func(c *state.Codec, v *driveLevel) {
			v.state(c)
			for _, f := range []*float64{&v.steps, &v.latency, &v.requests} {
				c.Float(f)
			}
		})
		state.By(c, axes.Groups, d.groups, func(c *state.Codec, g *clientGroup) { g.state(c) })
	})
	if d.known = len(known) > 0; d.known {
		d.ticks.Last = known[0]
	}
}

func (g *clientGroup) state(c *state.Codec) {
	g.latency.state(c)
	g.unlisted.state(c)
	for _, f := range []*float64{&g.bound, &g.rows, &g.waited} {
		c.Float(f)
	}
	state.Int(c, &g.since)
	c.Bool(&g.blamed)
	state.List(c, &g.clients, func(c *state.Codec, x *client) {
		state.Text(c, &x.name)
		x.traffic.state(c)
		for _, f := range []*float64{&x.tick, &x.ticks, &x.usual, &x.now} {
			c.Float(f)
		}
	})
}
