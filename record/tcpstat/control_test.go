package tcpstat

import "testing"

func TestShrinksOnLoss(t *testing.T) {
	for name, want := range map[string][2]bool{
		"cubic": {true, true}, "reno": {true, true}, "dctcp": {true, true}, "westwood": {true, true}, "yeah": {true, true}, "bic": {true, true},
		"bbr": {false, true}, "bbr2": {false, true}, "bbr3": {false, true},
		"": {}, "cubi": {}, "nobody's": {},
	} {
		shrinks, known := ControlOf(name).ShrinksOnLoss()
		if got := [2]bool{shrinks, known}; got != want {
			t.Errorf("%s: shrinks, known = %v, want %v", name, got, want)
		}
	}
}

func TestControlNames(t *testing.T) {
	for name, want := range map[string]string{"": "", "cubic": "cubic", "fifteen letters": "fifteen letters", "sixteen letters!": "sixteen letters"} {
		if got := ControlOf(name).String(); got != want {
			t.Errorf("%q became %q", name, got)
		}
	}
	if got := (Control{0: 'a', 15: 'z'}).String(); got != "a" {
		t.Errorf("got %q", got)
	}
}

func TestShrinksWithoutAllocations(t *testing.T) {
	c := ControlOf("westwood")
	if n := testing.AllocsPerRun(100, func() { c.ShrinksOnLoss() }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
