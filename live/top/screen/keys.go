package screen

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A key is a key of the keyboard, or an event of the mouse.
type key struct {
	r    rune   // the character; 0 if the key has a name
	name string // name such as "up"; empty if the key is a character
	x, y int    // position of the mouse, counted from 0
}

// named maps the sequences of keys to their names. A sequence follows the character ESC.
var named = map[string]string{
	"[A": "up", "[B": "down", "[C": "right", "[D": "left", "OA": "up", "OB": "down", "OC": "right", "OD": "left",
	"[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end",
	"[5~": "pgup", "[6~": "pgdn", "[3~": "delete", "[1;2C": "far right", "[1;2D": "far left", "OM": "enter",
}

// controls has the names of keys that send a single byte.
var controls = map[byte]string{
	'\r': "enter", '\n': "enter", '\t': "tab", 0x7f: "backspace", 0x08: "backspace",
	0x03: "ctrl-c", 0x1a: "ctrl-z", 0x0c: "ctrl-l", 0x02: "pgup", 0x06: "pgdn", 0x04: "half down", 0x15: "half up",
}

const escape = 0x1b

// takeKey returns the first key in b, and the number of bytes of this key. The number is 0 if b has
// only the beginning of a sequence. If `final` is true, no more bytes of the sequence will come,
// and a single ESC is the key Esc.
func takeKey(b []byte, final bool) (k key, n int) {
	switch {
	case len(b) == 0:
		return k, 0
	case b[0] == escape:
		return takeSequence(b, final)
	case controls[b[0]] != "":
		return key{name: controls[b[0]]}, 1
	case b[0] < ' ':
		return key{name: "unknown"}, 1
	case !utf8.FullRune(b) && !final:
		return k, 0
	}
	r, n := utf8.DecodeRune(b)
	return key{r: r}, n
}

// takeSequence returns the first key in b if b begins with ESC.
func takeSequence(b []byte, final bool) (key, int) {
	if len(b) == 1 || b[1] == escape {
		if len(b) > 1 || final {
			return key{name: "esc"}, 1
		}
		return key{}, 0
	}
	if b[1] != '[' && b[1] != 'O' {
		return key{name: "esc"}, 1 // the user pressed Alt and a character together: this call returns Esc, and the next call returns the character
	}
	end := 2 + bytes.IndexFunc(b[2:], func(r rune) bool { return r >= '@' && r <= '~' && r != '[' })
	if end < 2 {
		if final {
			return key{name: "unknown"}, len(b)
		}
		return key{}, 0
	}
	text := string(b[1 : end+1])
	var button, x, y int
	var last rune
	if n, _ := fmt.Sscanf(text, "[<%d;%d;%d%c", &button, &x, &y, &last); n == 4 {
		return mouse(button, x-1, y-1, last == 'M'), end + 1
	}
	if name := named[text]; name != "" {
		return key{name: name}, end + 1
	}
	return key{name: "unknown"}, end + 1
}

// mouse returns the event of a mouse button. Only presses count.
func mouse(button, x, y int, pressed bool) key {
	const wheelUp, wheelDown = 64, 65
	name := "unknown"
	switch {
	case button == 0 && pressed:
		name = "click"
	case button == wheelUp:
		name = "wheel up"
	case button == wheelDown:
		name = "wheel down"
	}
	return key{name: name, x: x, y: y}
}
