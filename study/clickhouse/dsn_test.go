package clickhouse

import (
	"strings"
	"testing"
)

func TestAddress(t *testing.T) {
	tests := map[string]string{
		"clickhouse://db1":                                    "clickhouse://db1:9000",
		"clickhouse://db1?secure=true":                        "clickhouse://db1:9440",
		"clickhouse://[::1]/fleet":                            "clickhouse://[::1]:9000/fleet",
		"clickhouse://ann:hidden@db1:9001,db2/fleet":          "clickhouse://ann@db1:9001,db2:9000/fleet",
		"clickhouse://db1:9000/fleet?username=a&password=hid": "clickhouse://a@db1:9000/fleet",
	}
	for dsn, want := range tests {
		o, err := parseDSN(dsn, DefaultOptions())
		if err != nil {
			t.Errorf("%s: %v", dsn, err)
			continue
		}
		if got := addressOf(o); got != want {
			t.Errorf("%s is %s, want %s", dsn, got, want)
		}
	}
}

// TestPassword demands that no error shows it, however wrong the address is.
func TestPassword(t *testing.T) {
	for _, dsn := range []string{
		"clickhouse://ann:sesame@127.0.0.1:1/fleet", "clickhouse://ann:se/same@db1:9000", "clickhouse://ann:sesame@db 1:9000",
		"http://ann:sesame@db1:8123", "clickhouse://ann:sesame@db1:9000?read_timeout=soon", "clickhouse://127.0.0.1:1?password=sesame",
	} {
		o := DefaultOptions()
		o.Table = "records"
		_, err := Open(t.Context(), dsn, o)
		if err == nil || strings.Contains(err.Error(), "same") {
			t.Errorf("%s: error %v", dsn, err)
		}
	}
}

// TestPasswordBeside takes the password that the DSN has, or else the other.
func TestPasswordBeside(t *testing.T) {
	o := DefaultOptions()
	o.Password = "other"
	for dsn, want := range map[string]string{"clickhouse://ann:hidden@db1": "hidden", "clickhouse://ann@db1": "other"} {
		to, err := parseDSN(dsn, o)
		if err != nil || to.Auth.Password != want {
			t.Errorf("%s: password %q, error %v; want %q", dsn, to.Auth.Password, err, want)
		}
	}
}
