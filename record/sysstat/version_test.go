package sysstat

import "testing"

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]string{"12.6.1": "12.6.1", "12.7": "12.7.0", "12.5.4.1": "12.5.4.1"} {
		if v, err := ParseVersion(text); err != nil || v.String() != want {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
	for _, text := range []string{"12", "twelve", "12.x", "12.6.300", "1.2.3.4.5", "12."} {
		if v, err := ParseVersion(text); err == nil {
			t.Errorf("%s is taken for %v", text, v)
		}
	}
}
