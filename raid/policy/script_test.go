package policy

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A script is what happens to one request after another, in words:
//
//	begin 0-3 lost 4    members wanted and lost
//	begin 0 of 65536    bytes of each, 4096 unless said
//	at 10 0 1 2         at 10 ms members 0, 1 and 2 answer, one after the other
//	at 10 fail 3        member 3 fails
//	wake                the time has come that was asked for
//
// and what the policy says after each, which goes by in silence where it says
// nothing.
func play(t *testing.T, o Options, data, parity int, script []string) string {
	t.Helper()
	p, err := New(o, data, parity)
	if err != nil {
		t.Fatal(err)
	}
	s := &player{p: p}
	for _, line := range script {
		s.play(line)
	}
	return strings.Join(s.said, "; ")
}

type player struct {
	p    *Policy
	r    *Request
	now  time.Duration
	wake time.Duration
	said []string
}

func (s *player) play(line string) {
	f := strings.Fields(line)
	switch f[0] {
	case "begin":
		line, size, _ := strings.Cut(strings.TrimPrefix(line, "begin "), " of ")
		want, lost, _ := strings.Cut(line, " lost ")
		bytes := 4096
		fmt.Sscan(size, &bytes)
		var do Do
		s.r, do = s.p.Begin(s.now, members(want), members(lost), bytes)
		s.say(do)
	case "wake":
		s.now = s.wake
		s.say(s.r.Wake(s.now))
	case "at":
		var at int
		fmt.Sscan(f[1], &at)
		s.now = time.Duration(at) * time.Millisecond
		failed := f[2] == "fail"
		for _, m := range members(strings.Join(f[2:], " ")) {
			s.say(s.r.Answer(s.now, m, failed))
		}
	}
}

// members reads numbers and ranges, and skips what is neither.
func members(text string) (list []int) {
	for _, word := range strings.Fields(text) {
		var from, to int
		switch n, _ := fmt.Sscanf(word, "%d-%d", &from, &to); n {
		case 1:
			list = append(list, from)
		case 2:
			for m := from; m <= to; m++ {
				list = append(list, m)
			}
		}
	}
	return list
}

func (s *player) say(do Do) {
	var words []string
	if len(do.Read) > 0 {
		words = append(words, fmt.Sprint("read ", do.Read))
	}
	if s.wake = do.WakeAt; do.WakeAt > 0 {
		words = append(words, fmt.Sprint("wake ", do.WakeAt))
	}
	if do.Done {
		words = append(words, "done")
	}
	if len(do.Rebuild) > 0 {
		words = append(words, fmt.Sprint("rebuild ", do.Rebuild))
	}
	if do.Fail {
		words = append(words, "fail")
	}
	if do.Done || do.Fail {
		s.r.Release()
	}
	if len(words) > 0 {
		s.said = append(s.said, strings.Join(words, " "))
	}
}

func TestScripts(t *testing.T) {
	for _, test := range []struct {
		name, policy string
		script       []string
		want         string
	}{
		{
			"normal waits for all", "normal",
			[]string{"begin 0-3", "at 10 0-2", "at 500 3"},
			"read [0 1 2 3]; done",
		},
		{
			"a lost member is made up for", "normal",
			[]string{"begin 0-3 lost 1", "at 10 0 2 3 4"},
			"read [0 2 3 4]; done rebuild [1]",
		},
		{
			"two lost members are", "normal",
			[]string{"begin 0-3 lost 1 4", "at 10 0 2 3 5"},
			"read [0 2 3 5]; done rebuild [1]",
		},
		{
			"three are too many", "normal",
			[]string{"begin 0-3 lost 1 4 5"},
			"fail",
		},
		{
			"but not for those who do not want them", "normal",
			[]string{"begin 0 2 lost 1 4 5", "at 10 0 2"},
			"read [0 2]; done",
		},
		{
			"a member that fails is made up for", "normal",
			[]string{"begin 0-3", "at 10 fail 2", "at 11 0 1 3 4"},
			"read [0 1 2 3]; read [4]; done rebuild [2]",
		},
		{
			"until no member is left", "normal",
			[]string{"begin 0-3", "at 10 fail 2 4 0"},
			"read [0 1 2 3]; read [4]; read [5]; fail",
		},
		{
			"a part of a stripe that fails takes the rest", "normal",
			[]string{"begin 1", "at 10 fail 1", "at 20 0 2 3 4"},
			"read [1]; read [0 2 3 4]; done rebuild [1]",
		},
		{
			"reactive waits twice the median, which two of four fix", "reactive",
			[]string{"begin 0-3", "at 8 0", "at 10 1", "at 14 2", "wake", "at 38 4"},
			"read [0 1 2 3]; wake 20ms; read [4] wake 40ms; done rebuild [3]",
		},
		{
			"the late member may win", "reactive",
			[]string{"begin 0-3", "at 10 0-2", "wake", "at 38 3", "at 50 4"},
			"read [0 1 2 3]; wake 20ms; read [4] wake 40ms; done",
		},
		{
			"two that hang are made up for, where nothing says what is late", "reactive:patience=90ms",
			[]string{"begin 0-2", "at 10 0", "wake", "at 95 3 4 5"},
			"read [0 1 2]; wake 90ms; read [3 4 5] wake 180ms; wake 180ms; done rebuild [1 2]",
		},
		{
			"two of four that hang, by what the others took", "reactive",
			[]string{"begin 0-3", "at 10 0 1", "wake", "at 30 4 5"},
			"read [0 1 2 3]; wake 20ms; read [4 5] wake 40ms; wake 40ms; done rebuild [2 3]",
		},
		{
			"who stands in may hang too", "reactive",
			[]string{"begin 0-3", "at 10 0-2", "wake", "wake", "at 50 5"},
			"read [0 1 2 3]; wake 20ms; read [4] wake 40ms; read [5] wake 60ms; done rebuild [3]",
		},
		{
			"also for one that failed", "reactive",
			[]string{"begin 0-3", "at 10 0-2", "at 10 fail 3", "wake", "at 45 5"},
			"read [0 1 2 3]; wake 20ms; read [4] wake 30ms; read [5] wake 50ms; done rebuild [3]",
		},
		{
			"two late members take two", "reactive:st=1.5",
			[]string{"begin 0-5", "at 10 0-3", "wake", "at 20 6 7"},
			"read [0 1 2 3 4 5]; wake 15ms; read [6 7] wake 30ms; wake 30ms; done rebuild [4 5]",
		},
		{
			"where two are asked, the other says what is late", "reactive",
			[]string{"begin 0 1", "at 10 0", "wake", "at 30 2 3 4"},
			"read [0 1] wake 250ms; wake 20ms; read [2 3 4] wake 40ms; wake 40ms; done rebuild [1]",
		},
		{
			"one that is asked alone is measured by patience", "reactive:patience=100ms",
			[]string{"begin 1", "wake"},
			"read [1] wake 100ms; read [0 2 3 4] wake 200ms",
		},
		{
			"and later by what is usual", "reactive",
			[]string{"begin 1", "at 10 1", "begin 2", "wake"},
			"read [1] wake 250ms; done; read [2] wake 30ms; read [0 1 3 4] wake 50ms",
		},
		{
			"but not by that of other sizes", "reactive",
			[]string{"begin 1", "at 10 1", "begin 2 of 65536"},
			"read [1] wake 250ms; done; read [2] wake 260ms",
		},
		{
			"nobody is late in time", "reactive",
			[]string{"begin 0-3", "at 10 0-2", "at 19 3"},
			"read [0 1 2 3]; wake 20ms; done",
		},
		{
			"of three wanted, a late one takes the rest", "reactive",
			[]string{"begin 0-2", "at 10 0 1", "wake", "at 30 3 4"},
			"read [0 1 2]; wake 250ms; wake 20ms; read [3 4] wake 40ms; wake 40ms; done rebuild [2]",
		},
		{
			"proactive1 is done with the first", "proactive1",
			[]string{"begin 0-3", "at 10 0 4 1 3", "at 99 2"},
			"read [0 1 2 3 4]; done rebuild [2]",
		},
		{
			"proactive2 with two late", "proactive2",
			[]string{"begin 0-3", "at 10 5 4 1 3"},
			"read [0 1 2 3 4 5]; done rebuild [0 2]",
		},
		{
			"proactive reads of a part are reads of the stripe", "proactive1",
			[]string{"begin 2", "at 10 2"},
			"read [0 1 2 3 4]; done",
		},
		{
			"proactive2 with one lost has one more", "proactive2",
			[]string{"begin 0-3 lost 0", "at 10 1 2 3 5"},
			"read [1 2 3 4 5]; done rebuild [0]",
		},
	} {
		o, err := Parse(test.policy)
		if err != nil {
			t.Fatal(err)
		}
		data := 4
		if strings.Contains(test.script[0], "0-5") {
			data = 6
		}
		if got := squeeze(play(t, o, data, 2, test.script)); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.name, got, test.want)
		}
	}
}

// squeeze says a wake once that is said again and again.
func squeeze(said string) string {
	var kept []string
	for _, words := range strings.Split(said, "; ") {
		if len(kept) == 0 || kept[len(kept)-1] != words {
			kept = append(kept, words)
		}
	}
	return strings.Join(kept, "; ")
}
