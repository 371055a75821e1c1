package past

import (
	"math"

	"github.com/limpet-storage/limpet/internal/state"
)

// level compares the values of a quantity in the present episode (since) with its values before the
// episode (before). An episode is a time in which a group of drives is slower than before. The
// values of the last ticks (recent) are kept apart until it is known whether an episode began in
// these ticks.
type level struct {
	recent        [recentTicksOfLevel]float64 // values of the last ticks, the newest last; NaN for a tick without a value
	before, since moments
	minutes       minutes // how far the means of single minutes before the episode are from the mean of the last hour
}

// recentTicksOfLevel is the number of ticks after which a value is added to the values before an
// episode: half a minute if a tick has its usual length of 5 s. This time is long enough to
// recognise an episode.
const recentTicksOfLevel = 6

func newLevel() (l level) {
	l.clearRecent()
	return l
}

func (l *level) clearRecent() {
	for i := range l.recent {
		l.recent[i] = math.NaN()
	}
}

// push adds the value of a tick to the recent values. During an episode it also adds the value to
// l.since. At other times it moves the oldest recent value to l.before. In l.before, the earlier
// values keep the share `keep` of their weight.
func (l *level) push(x float64, episode bool, keep float64) {
	if episode {
		l.since.add(x, 1)
	} else {
		l.learn(l.recent[0], keep)
	}
	copy(l.recent[:], l.recent[1:])
	l.recent[len(l.recent)-1] = x
}

// learn adds the value of a tick to the values before an episode. Earlier values keep the share
// `keep` of their weight.
func (l *level) learn(x, keep float64) {
	l.before.add(x, keep)
	l.minutes.add(x, l.before.mean, keep)
}

// begin begins an episode, in which a group of drives is slower than before. The parameter `from`
// is the index of the first recent value that belongs to the episode. The recent values before this
// index are added to l.before.
func (l *level) begin(from int, keep float64) {
	l.since = moments{}
	for i, x := range l.recent {
		if i < from {
			l.learn(x, keep)
		} else {
			l.since.add(x, 1)
		}
	}
}

// end ends an episode, in which a group of drives was slower than before. If isFault is false, no
// fault caused the episode. Its values then count as normal, and are added to the values before the
// episode.
func (l *level) end(isFault bool) {
	if !isFault && l.since.n > 0 {
		off, weight := l.since.mean-l.before.mean, l.since.n/ticksOfMinute
		l.minutes.n, l.minutes.squares = l.minutes.n+weight, l.minutes.squares+weight*off*off
		l.before.merge(&l.since)
	}
	l.since = moments{}
	l.clearRecent()
}

// replace ends an episode whose values are the usual values from now on. Unlike shift, it also
// forgets the deviations of the minutes before the episode.
func (l *level) replace() {
	l.minutes = minutes{}
	l.shift()
}

// meanOfRecent returns the mean of the recent values. It returns NaN if no recent value is known.
func (l *level) meanOfRecent() float64 {
	var m moments
	for _, x := range l.recent {
		m.add(x, 1)
	}
	if m.n == 0 {
		return math.NaN()
	}
	return m.mean
}

// shift ends an episode whose values are the usual values from now on. It keeps the deviations of
// the minutes before the episode: the mean of the values has changed, but their noise has not.
func (l *level) shift() {
	l.before = l.since
	l.minutes.ticks, l.minutes.sum = 0, 0 // a minute with values from before and after the change would look like noise
	l.end(true)
}

func (l *level) state(c *state.Codec) {
	for i := range l.recent {
		c.Float(&l.recent[i])
	}
	l.before.state(c)
	l.since.state(c)
	for _, f := range []*float64{&l.minutes.ticks, &l.minutes.sum, &l.minutes.n, &l.minutes.squares} {
		c.Float(f)
	}
}

// moments holds the number of values, their mean, and the sum of the squared differences between
// the values and the mean.
type moments struct{ n, mean, squares float64 }

// add adds a value. The earlier values keep the share `keep` of their weight. The value NaN is not
// added.
func (m *moments) add(x, keep float64) {
	if math.IsNaN(x) {
		return
	}
	m.n, m.squares = keep*m.n+1, keep*m.squares
	off := x - m.mean
	m.mean += off / m.n
	m.squares += off * (x - m.mean)
}

// merge adds the values of other moments.
func (m *moments) merge(o *moments) {
	n, off := m.n+o.n, o.mean-m.mean
	m.squares += o.squares + off*off*m.n*o.n/n
	m.n, m.mean = n, m.mean+off*o.n/n
}

func (m *moments) state(c *state.Codec) {
	for _, f := range []*float64{&m.n, &m.mean, &m.squares} {
		c.Float(f)
	}
}

// minutes measures how far the mean over a minute is from the mean over the last hour. Work often
// changes only after some minutes, so neighbouring ticks are alike. If only the spread of ticks
// were used, a change by chance would look certain.
type minutes struct {
	ticks, sum float64 // number of ticks in the present minute, and sum of their values
	n, squares float64 // number of minutes, and sum of their squared differences from the mean
}

// ticksOfMinute is the number of ticks that count as a minute. They last for a minute if a tick is
// 5 s long.
const ticksOfMinute = 12

func (m *minutes) add(x, mean, keep float64) {
	if math.IsNaN(x) {
		return
	}
	m.sum += x
	if m.ticks++; m.ticks < ticksOfMinute {
		return
	}
	off := m.sum/m.ticks - mean
	keep = math.Pow(keep, ticksOfMinute)
	m.n, m.squares = keep*m.n+1, keep*m.squares+off*off
	m.ticks, m.sum = 0, 0
}

// variance returns the variance of the means over minutes. The parameter `assumed` is the standard
// deviation that is assumed before any minute is known. The assumption has the weight of
// assumedMinutes minutes.
func (m *minutes) variance(assumed float64) float64 {
	return (m.squares + assumedMinutes*assumed*assumed) / (m.n + assumedMinutes)
}

// assumedMinutes is the weight of the assumed standard deviation, in minutes.
const assumedMinutes = 4

// change is the difference between the mean of a quantity in the episode and its mean before the
// episode (level).
type change struct {
	by        float64 // mean in the episode minus mean before it
	deviation float64 // standard deviation of by, computed only from the spread of ticks
	nats      float64 // evidence: by chance, the mean of a minute is this far above the usual mean once in e^nats minutes; 0 if the mean did not rise
}

// change compares the mean in the episode with the mean before it. The parameter `assumed` is the
// assumed standard deviation of the mean over a minute (minutes.variance). An episode of many
// minutes gives no more evidence than one minute, because some normal work lasts for many minutes
// too.
func (l *level) change(assumed float64) (c change) {
	if l.before.n <= 0 || l.since.n <= 0 {
		return c
	}
	spread := (l.before.squares + l.since.squares) / max(l.before.n+l.since.n-2, 1)
	ofMean := spread * (1/l.before.n + 1/l.since.n)
	c.by, c.deviation = l.since.mean-l.before.mean, math.Sqrt(ofMean)
	if c.by > 0 {
		c.nats = c.by * c.by / (l.minutes.variance(assumed) + ofMean) / 2
	}
	return c
}
