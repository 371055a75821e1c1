package store

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
)

// value reads anything, as encoding/json does.
func value(s *scanner) any {
	switch s.peek() {
	case '{':
		m := map[string]any{}
		s.Object(func(key []byte) { name := string(key); m[name] = value(s) })
		return m
	case '[':
		list := []any{}
		s.Array(func() { list = append(list, value(s)) })
		return list
	case '"':
		return string(s.String())
	}
	if v, ok := s.Number(); ok {
		return v
	}
	return nil
}

// TestTwin: what is read is what encoding/json reads.
func TestTwin(t *testing.T) {
	for _, text := range []string{
		`{"metric":{"__name__":"up","a":"x\"y\u00e9\\"},"values":[0,1.5,null,-3e9],"timestamps":[1549891472010]}`,
		` [ ] `, `{}`, `[[1,"2"],[ 3 , "4" ]]`, `"\n"`, `0.1`, `123456789012345678`, `1e300`,
	} {
		s := newScanner(strings.NewReader(text))
		got, _ := json.Marshal(value(s))
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		want, _ := json.Marshal(v)
		if s.Err() != nil || string(got) != string(want) || s.More() {
			t.Errorf("%s: %s, not %s: %v", text, got, want, s.Err())
		}
	}
}

// TestBroken: text that ends or goes wrong is an error, and never a hang.
func TestBroken(t *testing.T) {
	for _, text := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `[1,`, `[1 2]`, `"abc`, `{"a" 1}`, `[x]`, `"\q"`} {
		s := newScanner(strings.NewReader(text))
		value(s)
		if s.Err() == nil {
			t.Errorf("%s was taken", text)
		}
	}
	deep := newScanner(strings.NewReader(strings.Repeat("[", 1000)))
	if deep.Skip(); deep.Err() == nil {
		t.Error("no bound on depth")
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"0", "1.5", "999999999999999.9", "0.000000000000001", "1e5", ".5", "5.", "-1", "NaN", "+Inf", "1.7976931348623157e308"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse([]byte(text))
		want, wanted := strconv.ParseFloat(text, 64)
		if (err == nil) != (wanted == nil) || math.Float64bits(got) != math.Float64bits(want) && err == nil {
			t.Errorf("%q: %v %v, not %v %v", text, got, err, want, wanted)
		}
	})
}

func FuzzScanner(f *testing.F) {
	f.Add(`{"metric":{"a":"b"},"values":[1,null],"timestamps":[1,2]}`)
	f.Fuzz(func(t *testing.T, text string) {
		s := newScanner(strings.NewReader(text))
		for s.More() {
			s.Skip()
		}
		s.Err()
	})
}
