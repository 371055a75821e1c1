package page

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// The timeline's drawing. Its height is in pixels and its width in percent, so
// that a browser without a script can make it as wide as there is room while its
// letters keep their size.

// A timelineDrawing is a Timeline laid out. Of the ticks, a narrow screen has
// room for few.
type timelineDrawing struct {
	Title        string
	Wide, Narrow []tick
	Lanes        []laneDrawing
	Hatched      bool // an interval's begin is uncertain
	Open         bool // an interval is not over
}

type laneDrawing struct {
	Name  string
	To    *Section
	Items []*item
}

// An item is an interval or a moment on its lane.
type item struct {
	Class, Says, Label string
	To                 *Section
	Moment, Open       bool
	X, Width           string // of what is certain
	Early, Late        string // of what is not; empty where all is certain
	Begin              string // the best guess of an uncertain begin
	Text               *laneText

	left, right float64 // all of it, in percent
	solid       float64 // where what is certain begins
}

// A laneText is an item's label where there is room for it.
type laneText struct {
	Label    string
	X        string
	Shift    string // pixels from there
	Where    string // inside, before, or after, which goes without saying
	WideOnly bool   // no room on a narrow screen
}

// How many ticks there is room for.
const (
	wideTicks   = 9
	narrowTicks = 4
)

func (t Timeline) drawing() timelineDrawing {
	c := t.clock()
	out := timelineDrawing{Title: t.Title, Wide: c.ticks(wideTicks), Narrow: c.ticks(narrowTicks)}
	for _, l := range t.Lanes {
		lane := laneDrawing{l.Name, l.To, l.items(c)}
		for _, it := range lane.Items {
			out.Hatched = out.Hatched || it.Early != ""
			out.Open = out.Open || it.Open
		}
		out.Lanes = append(out.Lanes, lane)
	}
	return out
}

// items are those that the clock shows, from the left.
func (l Lane) items(c clock) []*item {
	var items []*item
	for _, i := range l.Intervals {
		if i.Open {
			i.End = max(c.end, i.Begin)
		}
		if early, _ := i.onset(); c.shows(early, i.End) {
			items = append(items, i.item(c, cmp.Or(i.To, l.To), l.Name))
		}
	}
	for _, m := range l.Moments {
		if c.shows(m.At, m.At) {
			items = append(items, m.item(c, cmp.Or(m.To, l.To), l.Name))
		}
	}
	slices.SortStableFunc(items, func(a, b *item) int { return cmp.Compare(a.left, b.left) })
	label(items)
	return items
}

func (i Interval) item(c clock, to *Section, lane string) *item {
	early, late := i.onset()
	late = min(late, i.End)
	it := &item{
		Class: i.Role.class(0), Says: lane + ": " + i.say(), Label: i.Label, To: to, Open: i.Open,
		left: c.place(early), solid: c.place(late), right: c.place(i.End),
	}
	it.X, it.Width = percent(it.solid), percent(it.right-it.solid)
	if early != late {
		it.Early, it.Late, it.Begin = percent(it.left), percent(it.solid), percent(c.place(i.Begin))
	}
	return it
}

func (m Moment) item(c clock, to *Section, lane string) *item {
	at := c.place(m.At)
	return &item{
		Class: m.Role.class(0), Says: lane + ": " + m.say(), Label: m.Label, To: to, Moment: true,
		X: percent(at), left: at, solid: at, right: at,
	}
}

// Lengths in pixels that labels are fitted by: those of lanes on the narrowest
// screen that timeline.css takes for wide, and on a phone; of a letter on average,
// and of the room around a label.
const (
	wideLane   = 720.0
	narrowLane = 340.0
	letter     = 6.6
	labelRoom  = 16.0
)

// label puts labels on the bars that are long enough, or beside them where
// nothing else stands.
func label(items []*item) {
	for n, it := range items {
		before, after := it.left, 100.0-it.right
		for m, other := range items {
			switch {
			case m == n:
			case other.left >= it.right:
				after = min(after, other.left-it.right)
			case other.right <= it.left:
				before = min(before, it.left-other.right)
			default: // one over the other: labels would be, too
				before, after = 0, 0
			}
		}
		it.Text = it.fit(before, after)
	}
}

// fit puts the label where it has room, given that before and after the item.
func (i *item) fit(before, after float64) *laneText {
	length := 100 * (letter*float64(utf8.RuneCountInString(i.Label)) + labelRoom)
	text := func(room float64, x, shift, where string) *laneText {
		if room < length/wideLane {
			return nil
		}
		return &laneText{i.Label, x, shift, where, room < length/narrowLane}
	}
	beside := "6"
	if i.Moment {
		beside = "11"
	}
	return cmp.Or(
		text(i.right-i.solid, i.X, "5", "inside"),
		text(after, percent(i.right), beside, ""),
		text(before, percent(i.left), "-"+beside, "before"),
	)
}
