package page

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// The timeline's drawing. Its height is in pixels and its width in percent. So a browser without a
// script can make it as wide as the screen, while its letters keep their size.

// A timelineDrawing is the layout of a Timeline. A narrow screen has fewer ticks.
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
	X, Width           string // begin and length of the certain part
	Early, Late        string // begin and end of the uncertain part; empty: everything is certain
	Begin              string // most probable begin, if the begin is uncertain
	Text               *laneText

	left, right float64 // ends of the item with its uncertain part, in percent
	solid       float64 // begin of the certain part, in percent
}

// A laneText is the label of an item, if there is room for the label.
type laneText struct {
	Label    string
	X        string
	Shift    string // distance from X in pixels
	Where    string // place of the text: inside, before, or empty for after
	WideOnly bool   // there is no room on a narrow screen
}

// Largest numbers of ticks.
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

// items returns the items that the clock shows, from the left.
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

// Lengths in pixels for placing labels: of a lane on the narrowest screen that is wide in
// timeline.css, of a lane on a phone, of an average letter, and of the space around a label.
const (
	wideLane   = 720.0
	narrowLane = 340.0
	letter     = 6.6
	labelRoom  = 16.0
)

// label places labels on bars that are long enough, or in free space beside them.
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
			default: // the items overlap, and their labels would overlap too
				before, after = 0, 0
			}
		}
		it.Text = it.fit(before, after)
	}
}

// fit returns the place of the label, or nil if there is no room. before and after are the free
// widths beside the item.
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
