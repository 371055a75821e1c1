package jetstream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// stream is a log in NATS.
type stream struct {
	js     jetstream.JetStream
	stream jetstream.Stream
	name   string
	report func(string)
}

func (s *stream) message(r bus.Record) *nats.Msg {
	m := &nats.Msg{Subject: s.name + "." + r.Subject, Data: r.Data}
	if r.ID != "" {
		m.Header = nats.Header{jetstream.MsgIDHeader: {r.ID}}
	}
	return m
}

// Append sends all records before it waits for the acknowledgements. If some records were not
// acknowledged, Append sends these records again.
func (s *stream) Append(ctx context.Context, records ...bus.Record) error {
	_, err := askUntilDone(ctx, s.report, func(ctx context.Context) (struct{}, error) {
		rest, err := s.send(ctx, records)
		records = rest
		return struct{}{}, err
	})
	return err
}

// send sends records. It returns the first record that was not acknowledged, and all records after
// that record. NATS may have stored some of the returned records. When they are sent again, NATS
// recognises these records by their IDs.
func (s *stream) send(ctx context.Context, records []bus.Record) ([]bus.Record, error) {
	acks := make([]jetstream.PubAckFuture, 0, len(records))
	for _, r := range records {
		ack, err := s.js.PublishMsgAsync(s.message(r), jetstream.WithRetryAttempts(0))
		if err != nil {
			return records, err // NATS may have stored earlier records; it recognises them by their IDs
		}
		acks = append(acks, ack)
	}
	for i, ack := range acks {
		select {
		case <-ack.Ok():
		case err := <-ack.Err():
			return records[i:], err
		case <-ctx.Done():
			return records[i:], ctx.Err()
		}
	}
	return nil, nil
}

// Put appends a record. If `last` is not the number of the last record on the subject, Put returns
// bus.ErrConflict.
func (s *stream) Put(ctx context.Context, r bus.Record, last uint64) (uint64, error) {
	ack, err := askUntilDone(ctx, s.report, func(ctx context.Context) (*jetstream.PubAck, error) {
		return s.js.PublishMsg(ctx, s.message(r), jetstream.WithExpectLastSequencePerSubject(last), jetstream.WithRetryAttempts(0))
	})
	var api *jetstream.APIError
	if errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return s.numberIfAppended(ctx, r)
	}
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// numberIfAppended returns the number of the record r if NATS has appended r, but the
// acknowledgement was lost. It returns bus.ErrConflict if the record was not appended.
func (s *stream) numberIfAppended(ctx context.Context, r bus.Record) (uint64, error) {
	last, err := s.Last(ctx, r.Subject)
	switch {
	case errors.Is(err, bus.ErrNone):
		return 0, bus.ErrConflict
	case err != nil:
		return 0, err
	case r.ID != "" && last.ID == r.ID:
		return last.Seq, nil
	}
	return 0, bus.ErrConflict
}

// Last returns the last record on a subject. The leader of the stream answers the request.
func (s *stream) Last(ctx context.Context, subject string) (bus.Record, error) {
	m, err := askUntilDone(ctx, s.report, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		return s.stream.GetLastMsgForSubject(ctx, s.name+"."+subject)
	})
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return bus.Record{}, bus.ErrNone
	}
	if err != nil {
		return bus.Record{}, err
	}
	return bus.Record{Subject: subject, ID: m.Header.Get(jetstream.MsgIDHeader), Data: m.Data, Seq: m.Sequence, Time: m.Time}, nil
}

// Read returns a reader for the records with higher numbers than the given number.
func (s *stream) Read(ctx context.Context, after uint64) (bus.Reader, error) {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
	r := &reader{stream: s, after: after, records: make(chan bus.Record, prefetchRecords), stop: stop}
	r.done.Go(func() { r.run(ctx) })
	return r, nil
}

const (
	// prefetchRecords is the number of records that a reader fetches before the caller needs them.
	prefetchRecords = 256
	// aheadBytes is the largest total size of the prefetched records, in bytes.
	aheadBytes = 4 * bus.MaxRecordBytes
	// heartbeatInterval is the interval at which NATS sends a heartbeat to a reader. If two
	// heartbeats are missing, the reader sends NATS a new request for records.
	heartbeatInterval = time.Second
	// expiry is the longest time for which a NATS server waits for new records before it ends the
	// reader's request for records. The reader then sends a new request.
	expiry = 5 * time.Second
)

// reader reads a stream with a consumer, the object of NATS that sends the records of a stream to
// one client. When the consumer ends, the reader creates a new consumer.
type reader struct {
	stream  *stream
	after   uint64
	records chan bus.Record
	stop    context.CancelFunc
	done    sync.WaitGroup
}

func (r *reader) Next(ctx context.Context) (bus.Record, error) {
	select {
	case one := <-r.records:
		return one, nil
	case <-ctx.Done():
		return bus.Record{}, ctx.Err()
	}
}

func (r *reader) Close() {
	r.stop()
	r.done.Wait()
}

func (r *reader) run(ctx context.Context) {
	for ctx.Err() == nil {
		if err := r.consume(ctx); err != nil && ctx.Err() == nil {
			select {
			case <-time.After(askAgain):
			case <-ctx.Done():
			}
		}
	}
}

// consume creates a consumer and passes its records on until an error occurs.
func (r *reader) consume(ctx context.Context) error {
	one, stop := context.WithTimeout(ctx, answerWithin)
	defer stop()
	c, err := r.stream.stream.OrderedConsumer(one, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: r.after + 1, MaxResetAttempts: 1,
	})
	if err != nil {
		return err
	}
	list, err := c.Messages(jetstream.PullHeartbeat(heartbeatInterval), jetstream.PullExpiry(expiry), jetstream.PullMaxMessagesWithBytesLimit(prefetchRecords, aheadBytes))
	if err != nil {
		return err
	}
	ended := context.AfterFunc(ctx, list.Stop)
	defer ended()
	defer list.Stop()
	for {
		m, err := list.Next()
		if err != nil {
			return err
		}
		if err := r.pass(ctx, m); err != nil {
			return err
		}
	}
}

func (r *reader) pass(ctx context.Context, m jetstream.Msg) error {
	about, err := m.Metadata()
	if err != nil {
		return err
	}
	seq := about.Sequence.Stream
	if seq <= r.after {
		return nil // the reader got this record from an earlier consumer
	}
	one := bus.Record{
		Subject: strings.TrimPrefix(m.Subject(), r.stream.name+"."), ID: m.Headers().Get(jetstream.MsgIDHeader), Data: m.Data(), Seq: seq, Time: about.Timestamp,
	}
	if len(one.Data) > bus.MaxRecordBytes {
		r.stream.report(fmt.Sprintf("record %d of %s has %d bytes and is left out, because no node writes records of this size: check which other program writes to NATS", seq, r.stream.name, len(one.Data)))
		r.after = seq
		return nil
	}
	select {
	case r.records <- one:
		r.after = seq
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
