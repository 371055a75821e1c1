package jetstream

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// Options are the addresses of NATS, the credentials, and the number of replicas.
type Options struct {
	URLs     []string
	Cluster  string // prefix of the names of streams and buckets
	Node     string // name of this client
	Replicas int    // number of copies of every stream and bucket
	// LeaseTime is the time after which a lease expires if its owner does not renew it.
	LeaseTime time.Duration

	CredentialsFile string // file with the credentials of a user, in the format of the tool nsc
	TokenFile       string
	User            string
	PasswordFile    string
	CAFile          string
	CertificateFile string
	KeyFile         string
	// InsecureOpenToNetwork allows a connection without TLS or without credentials to a NATS server
	// on another machine.
	InsecureOpenToNetwork bool

	// Report receives a sentence when the connection is back.
	Report func(sentence string)
	// Warn receives a sentence when the connection is lost, and about other problems. If Warn is nil,
	// Report receives the sentence.
	Warn func(sentence string)
}

// DefaultOptions returns the default options. NATS stores three copies of all data, so the cluster
// still works if one of three NATS servers fails. A lease lasts five seconds. So if a node ends,
// other nodes take over its tasks after five seconds. A node that pauses for a shorter time keeps
// its tasks.
func DefaultOptions() Options {
	return Options{Replicas: 3, LeaseTime: 5 * time.Second, Report: func(string) {}}
}

// Validate returns an error that names every setting with an invalid value.
func (o *Options) Validate() error {
	var errs []error
	if len(o.URLs) == 0 {
		errs = append(errs, errors.New("the configuration names no NATS server: write the setting nats: [nats://host:4222]"))
	}
	for _, u := range o.URLs {
		errs = append(errs, o.checkURL(u))
	}
	if !isWord(o.Cluster) {
		errs = append(errs, fmt.Errorf("the name %q of the cluster is not allowed: use letters, digits and dashes", o.Cluster))
	}
	if o.Replicas != 1 && o.Replicas != 3 && o.Replicas != 5 {
		errs = append(errs, fmt.Errorf("%d replicas are not possible: use 1, 3 or 5 replicas; a majority of the replicas must be running", o.Replicas))
	}
	if o.LeaseTime < time.Second {
		errs = append(errs, fmt.Errorf("a lease time of %v is too short: use 1s or more", o.LeaseTime))
	}
	if (o.User == "") != (o.PasswordFile == "") {
		errs = append(errs, errors.New("the settings \"user\" and \"password_file\" belong together: give both settings, or remove both"))
	}
	if (o.CertificateFile == "") != (o.KeyFile == "") {
		errs = append(errs, errors.New("the settings \"certificate\" and \"key\" belong together: give both settings, or remove both"))
	}
	return errors.Join(errs...)
}

// checkURL returns an error if the NATS server is on another machine, and the connection lacks TLS
// or credentials. Anybody in the network could write to such a server, and so cause false alerts.
func (o *Options) checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" || u.Hostname() == "" {
		return fmt.Errorf("%s is not an address of a NATS server: write the address as nats://host:4222 or tls://host:4222", redacted(text))
	}
	var lacks []string
	if u.Scheme != "tls" && u.Scheme != "wss" && o.CAFile == "" && o.CertificateFile == "" {
		lacks = append(lacks, "TLS (tls:// in the address, or tls: with a ca or a certificate)")
	}
	if u.User == nil && o.CredentialsFile == "" && o.TokenFile == "" && o.User == "" && o.CertificateFile == "" {
		lacks = append(lacks, "credentials (credentials_file, token_file, user and password_file, or a certificate)")
	}
	if len(lacks) == 0 || isLoopback(u.Hostname()) || o.InsecureOpenToNetwork {
		return nil
	}
	return fmt.Errorf("the NATS server %s is on another machine, so the connection needs %s: everybody who can write to NATS can send alerts. To allow this connection anyway, write insecure_open_to_network: true into the section cluster of the configuration", u.Redacted(), strings.Join(lacks, " and "))
}

// redacted returns an address without the user and password. It also works if the address cannot be
// parsed.
func redacted(text string) string {
	if at := strings.LastIndex(text, "@"); at >= 0 {
		return "…" + text[at:]
	}
	return text
}

func isLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && address.Unmap().IsLoopback()
}

func isWord(s string) bool {
	for _, r := range s {
		if r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return s != ""
}

// Conn is a connection to NATS, and the bus that uses this connection.
type Conn struct {
	Bus  *bus.Bus
	conn *nats.Conn
}

// Close closes the connection.
func (c *Conn) Close() { c.conn.Close() }

// askAgain is the pause before a failed request is repeated. NATS needs about one second to elect a
// leader. The pause is much shorter, so a request waits little longer than the election.
const askAgain = 100 * time.Millisecond

// answerWithin is the longest time that limpet waits for the answer to one request.
const answerWithin = 2 * time.Second

// Connect connects to NATS and creates the two buckets of the cluster, for leases and for blobs. It
// repeats failed requests until the context ends.
func Connect(ctx context.Context, o Options) (*Conn, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	options, err := o.nats()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(strings.Join(o.URLs, ","), options...)
	if err != nil {
		return nil, fmt.Errorf("limpet cannot connect to NATS at %s: %w", strings.Join(o.URLs, ", "), err)
	}
	b, err := o.open(ctx, conn)
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Conn{b, conn}, nil
}

// blobsBucket is the suffix of the name of the bucket of blobs.
const blobsBucket = "-blobs"

func (o *Options) open(ctx context.Context, conn *nats.Conn) (*bus.Bus, error) {
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(answerWithin), jetstream.WithPublishAsyncTimeout(answerWithin))
	if err != nil {
		return nil, err
	}
	e := &engine{o: *o, js: js}
	lease := jetstream.KeyValueConfig{Bucket: o.Cluster + "-leases", TTL: o.LeaseTime, Replicas: o.Replicas}
	err = o.prepare(ctx, js, "KV_"+lease.Bucket, lease.TTL, func(ctx context.Context) error {
		_, err := js.CreateOrUpdateKeyValue(ctx, lease)
		return err
	})
	if err != nil {
		return nil, o.hint("the leases", err)
	}
	leases, err := askUntilDone(ctx, o.warn, func(ctx context.Context) (jetstream.KeyValue, error) { return js.KeyValue(ctx, lease.Bucket) })
	if err != nil {
		return nil, o.hint("the leases", err)
	}
	blob := jetstream.ObjectStoreConfig{Bucket: o.Cluster + blobsBucket, Replicas: o.Replicas}
	err = o.prepare(ctx, js, "OBJ_"+blob.Bucket, 0, func(ctx context.Context) error {
		_, err := js.CreateOrUpdateObjectStore(ctx, blob)
		return err
	})
	if err != nil {
		return nil, o.hint("the saved states", err)
	}
	blobs, err := askUntilDone(ctx, o.warn, func(ctx context.Context) (jetstream.ObjectStore, error) { return js.ObjectStore(ctx, blob.Bucket) })
	if err != nil {
		return nil, o.hint("the saved states", err)
	}
	return &bus.Bus{Logs: e, Leases: &keys{leases}, Blobs: newObjects(js, blobs, o.Cluster+blobsBucket, o.warn), LeaseTime: o.LeaseTime}, nil
}

// prepare creates the stream in which NATS stores a bucket. It configures the stream so that only
// the leader of its replicas answers requests. By default any replica of a bucket answers, and a
// replica that is behind does not have the last value.
//
// If a stream already has the right configuration, prepare does not change it. The nodes of a
// cluster start together, and if each of them changed the stream, the changes would wait for each
// other. On a busy machine, a change would then take longer than the time limit of a request.
func (o *Options) prepare(ctx context.Context, js jetstream.JetStream, name string, age time.Duration, create func(context.Context) error) error {
	config, err := askUntilDone(ctx, o.warn, func(ctx context.Context) (jetstream.StreamConfig, error) { return configOf(ctx, js, name) })
	if err != nil || config.Name != "" && !config.AllowDirect && config.Replicas == o.Replicas && config.MaxAge == age {
		return err
	}
	if _, err := askUntilDone(ctx, o.warn, func(ctx context.Context) (struct{}, error) { return struct{}{}, create(ctx) }); err != nil {
		return err
	}
	_, err = askUntilDone(ctx, o.warn, func(ctx context.Context) (struct{}, error) {
		s, err := js.Stream(ctx, name)
		if err != nil {
			return struct{}{}, err
		}
		config := s.CachedInfo().Config
		config.AllowDirect = false
		_, err = js.UpdateStream(ctx, config)
		return struct{}{}, err
	})
	return err
}

// configOf returns the configuration of a stream. The result is empty if the stream does not exist.
func configOf(ctx context.Context, js jetstream.JetStream, name string) (jetstream.StreamConfig, error) {
	s, err := js.Stream(ctx, name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return jetstream.StreamConfig{}, nil
	}
	if err != nil {
		return jetstream.StreamConfig{}, err
	}
	return s.CachedInfo().Config, nil
}

// hint returns an error with a remedy if err comes from a common mistake. The parameter `what` is
// the name of the stream or bucket that limpet could not create or open.
func (o *Options) hint(what string, err error) error {
	var api *jetstream.APIError
	switch {
	case errors.As(err, &api) && strings.Contains(api.Description, "replicas"):
		return fmt.Errorf("limpet cannot create or open %s in NATS: %w: NATS has fewer servers than replicas; add NATS servers, or write the setting replicas: 1", what, err)
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount):
		return fmt.Errorf("limpet cannot create or open %s in NATS: %w: start nats-server with -js, which turns on JetStream", what, err)
	}
	return fmt.Errorf("limpet cannot create or open %s in NATS: %w", what, err)
}

// engine opens logs as streams of NATS. It implements bus.Logs.
type engine struct {
	o  Options
	js jetstream.JetStream
}

// remembered is the time for which NATS keeps the IDs of records, to recognise repeated records.
// Two minutes are enough, because a writer repeats a record within seconds. If a record is repeated
// after more than two minutes, NATS stores it again, and readers ignore it.
const remembered = 2 * time.Minute

// Open opens the stream of a log. If the stream does not exist, Open creates it.
func (e *engine) Open(ctx context.Context, name string, keep time.Duration) (bus.Log, error) {
	name = e.o.Cluster + "-" + name
	config := jetstream.StreamConfig{
		Name: name, Subjects: []string{name + ".>"}, Replicas: e.o.Replicas, MaxAge: keep, Duplicates: remembered,
		Storage: jetstream.FileStorage, MaxMsgSize: bus.MaxRecordBytes, Compression: jetstream.S2Compression,
	}
	if keep > 0 {
		config.Duplicates = min(remembered, keep)
	}
	made, err := askUntilDone(ctx, e.o.warn, func(ctx context.Context) (jetstream.Stream, error) { return e.js.CreateOrUpdateStream(ctx, config) })
	if err != nil {
		return nil, e.o.hint("the stream "+name, err)
	}
	return &stream{js: e.js, stream: made, name: name, report: e.o.warn}, nil
}

// On a busy machine, some seconds pass until all NATS servers know a new stream. In this time, NATS
// may answer that the stream does not exist. limpet treats this answer as final after more than
// mostUnknown such answers. With a pause of askAgain after each answer, this takes 30 seconds. Then
// a person or another program has deleted the stream, because limpet never deletes a stream.
const mostUnknown = int(30 * time.Second / askAgain)

// askUntilDone calls a function repeatedly: until the call succeeds, until the call returns a final
// error, or until the context ends.
func askUntilDone[T any](ctx context.Context, report func(string), ask func(context.Context) (T, error)) (T, error) {
	said, unknown := false, 0 // unknown counts the answers that the stream does not exist
	for {
		one, stop := context.WithTimeout(ctx, answerWithin)
		value, err := ask(one)
		stop()
		final := isFinal(err)
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			unknown++
			final = unknown > mostUnknown
		}
		if err == nil || final {
			return value, err
		}
		if ctx.Err() != nil {
			return value, errors.Join(ctx.Err(), err)
		}
		if !said {
			said = true
			report(fmt.Sprintf("NATS does not answer: %v; limpet tries again", err))
		}
		select {
		case <-time.After(askAgain):
		case <-ctx.Done():
		}
	}
}

// duplicateUnderWay is the error code that NATS returns while it is writing another record with the
// same ID. NATS may still fail to store the other record, so limpet sends its record again.
const duplicateUnderWay jetstream.ErrorCode = 10158

// isFinal reports whether an error is final. After a final error, a repeated request would fail
// too.
func isFinal(err error) bool {
	var api *jetstream.APIError
	if errors.As(err, &api) {
		if api.ErrorCode == duplicateUnderWay {
			return false
		}
		return api.Code < 500 || strings.Contains(api.Description, "replicas > 1 not supported")
	}
	for _, final := range []error{
		jetstream.ErrMsgNotFound, jetstream.ErrKeyNotFound, jetstream.ErrKeyExists, jetstream.ErrObjectNotFound, jetstream.ErrNoKeysFound,
		nats.ErrConnectionClosed, nats.ErrAuthorization, nats.ErrMaxPayload,
	} {
		if errors.Is(err, final) {
			return true
		}
	}
	return false
}
