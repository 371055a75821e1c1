package jetstream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limpet-storage/limpet/live/cluster/bus"
	"github.com/limpet-storage/limpet/live/cluster/bus/bustest"
)

// patience is the time limit of one test.
const patience = time.Minute

func options(urls []string) Options {
	o := DefaultOptions()
	o.URLs, o.Cluster, o.Node = urls, "test", "me"
	return o
}

func connected(tb testing.TB, urls []string) *bus.Bus {
	tb.Helper()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	c, err := Connect(ctx, options(urls))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c.Bus
}

// TestBus: three servers pass the tests of a bus, and keep their data when one of them is lost.
func TestBus(t *testing.T) {
	list, urls := bustest.Servers(t)
	b := connected(t, urls)
	bustest.Test(t, b)
	list[0].Shutdown()
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	log, err := b.Logs.Open(ctx, "log", time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Append(ctx, bus.Record{Subject: "s0", ID: "after", Data: []byte("x")}); err != nil {
		t.Fatal(err)
	}
	r, err := log.Read(ctx, 19)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, want := range []string{"19", "x"} {
		if one, err := r.Next(ctx); err != nil || string(one.Data) != want {
			t.Fatalf("without a server: %q, %v, want %q", one.Data, err, want)
		}
	}
}

// TestOptions: an error of a setting names the cure.
func TestOptions(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"names no NATS server":                    func(o *Options) { o.URLs = nil },
		"is not an address of a NATS":             func(o *Options) { o.URLs = []string{"host"} },
		"letters, digits":                         func(o *Options) { o.Cluster = "a b" },
		"use 1, 3 or 5":                           func(o *Options) { o.Replicas = 2 },
		"use 1s or more":                          func(o *Options) { o.LeaseTime = 0 },
		`the settings "user" and "password_file"`: func(o *Options) { o.User = "x" },
		`the settings "certificate" and "key"`:    func(o *Options) { o.KeyFile = "x" },
	} {
		o := options([]string{"nats://127.0.0.1:1"})
		if change(&o); o.Validate() == nil || !strings.Contains(o.Validate().Error(), want) {
			t.Errorf("%v, want %q", o.Validate(), want)
		}
	}
	o := options([]string{"nats://127.0.0.1:1"})
	if err := o.Validate(); err != nil {
		t.Error(err)
	}
}

// TestOpenToNetwork: a server of NATS on another machine needs TLS and credentials, unless the
// options allow it without.
func TestOpenToNetwork(t *testing.T) {
	for _, c := range []struct {
		url    string
		change func(*Options)
		want   string
	}{
		{"nats://n1:4222", nil, "needs TLS (tls:// in the address, or tls: with a ca or a certificate) and credentials"},
		{"nats://10.0.0.7:4222", func(o *Options) { o.TokenFile = "t" }, "needs TLS"},
		{"nats://secret@n1:4222", func(o *Options) { o.CAFile = "ca" }, ""},
		{"nats://me:secret@n1:4222", nil, "needs TLS"},
		{"tls://n1:4222", nil, "needs credentials"},
		{"tls://n1:4222", func(o *Options) { o.CredentialsFile = "c" }, ""},
		{"nats://n1:4222", func(o *Options) { o.CertificateFile, o.KeyFile = "c", "k" }, ""},
		{"nats://n1:4222", func(o *Options) { o.CAFile, o.User, o.PasswordFile = "ca", "u", "p" }, ""},
		{"nats://n1:4222", func(o *Options) { o.InsecureOpenToNetwork = true }, ""},
		{"nats://localhost:4222", nil, ""},
		{"nats://[::1]:4222", nil, ""},
		{"nats://127.0.0.2:4222", nil, ""},
		{"nats://localhost.evil.example:4222", nil, "is on another machine"},
		{"nats://127.0.0.1@n1:4222", nil, "is on another machine"},
	} {
		o := options([]string{"nats://127.0.0.1:1", c.url})
		if c.change != nil {
			c.change(&o)
		}
		err := o.Validate()
		if (err == nil) != (c.want == "") || err != nil && (!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v, want %q", c.url, err, c.want)
		}
	}
}

// TestTornBlob: a blob whose chunks are gone, as after a lost acknowledgement, has its value of
// before, and can be put again.
func TestTornBlob(t *testing.T) {
	_, urls := bustest.Servers(t)
	b := connected(t, urls)
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	blobs, ok := b.Blobs.(*objects)
	if !ok {
		t.Fatalf("%T", b.Blobs)
	}
	tear := func(name string) {
		t.Helper()
		list, err := blobs.find(ctx, name)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		conn, err := nats.Connect(urls[0])
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		js, err := jetstream.New(conn)
		if err != nil {
			t.Fatal(err)
		}
		s, err := js.Stream(ctx, "OBJ_test"+blobsBucket)
		if err == nil {
			err = s.Purge(ctx, jetstream.WithPurgeSubject("$O.test"+blobsBucket+".C."+list[0].NUID))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	is := func(by *objects, want string) {
		t.Helper()
		if got, err := by.Get(ctx, "state"); err != nil || string(got) != want {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
	}
	put := func(by *objects, text string) {
		t.Helper()
		if err := by.Put(ctx, "state", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	put(blobs, "first")
	tear("state")
	if _, err := blobs.Get(ctx, "state"); !errors.Is(err, bus.ErrNone) {
		t.Errorf("the only one is torn: %v", err)
	}
	put(blobs, "second")
	put(blobs, "third")
	is(blobs, "third")
	tear("state")
	other, _ := connected(t, urls).Blobs.(*objects) // of the node that takes over
	is(other, "second")
	put(other, "fourth") // replaces the incomplete object
	is(blobs, "fourth")
	tear("state")
	is(other, "second")
}

// TestStreamAppears: a server that does not know a new stream yet is asked again; the
// absence of a stream that stays absent is an error.
func TestStreamAppears(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		_, err := askUntilDone(t.Context(), func(string) {}, func(context.Context) (int, error) {
			if requests++; requests < 20 {
				return 0, jetstream.ErrStreamNotFound
			}
			return 0, nil
		})
		if err != nil || requests != 20 {
			t.Errorf("after %d requests: %v", requests, err)
		}
		_, err = askUntilDone(t.Context(), func(string) {}, func(context.Context) (int, error) { return 0, jetstream.ErrStreamNotFound })
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			t.Errorf("a stream that does not appear: error %v", err)
		}
	})
}
