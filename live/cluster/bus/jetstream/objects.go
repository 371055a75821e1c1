package jetstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// objects stores blobs. NATS stores an object as chunks and a message that lists the chunks. If an
// acknowledgement is lost during a put, the client removes the chunks. But NATS may have stored the
// message, and the object is then unreadable. So each blob has two objects. A put overwrites one
// object. The other object stays complete.
type objects struct {
	store  jetstream.ObjectStore
	report func(sentence string)
	chunks func(ctx context.Context, of *jetstream.ObjectInfo) (uint64, error) // returns how many chunks of an object NATS has stored

	mu    sync.Mutex
	whole map[string]int // by blob: index of the object that was last written or read completely
}

func newObjects(js jetstream.JetStream, store jetstream.ObjectStore, bucket string, report func(string)) *objects {
	return &objects{store: store, report: report, whole: map[string]int{}, chunks: func(ctx context.Context, of *jetstream.ObjectInfo) (uint64, error) {
		s, err := js.Stream(ctx, "OBJ_"+bucket)
		if err != nil {
			return 0, err
		}
		subject := "$O." + bucket + ".C." + of.NUID
		info, err := s.Info(ctx, jetstream.WithSubjectFilter(subject))
		if err != nil {
			return 0, err
		}
		return info.State.Subjects[subject], nil
	}}
}

// suffixes lists the ends of object names: an object has the name of its blob and one of these
// suffixes.
var suffixes = [2]string{"", "~"}

// object is one of the two objects of a blob.
type object struct {
	index int
	*jetstream.ObjectInfo
}

// find returns the objects of a blob, newest first.
func (o *objects) find(ctx context.Context, name string) (list []object, err error) {
	for index := range suffixes {
		info, err := askUntilDone(ctx, o.report, func(ctx context.Context) (*jetstream.ObjectInfo, error) {
			return o.store.GetInfo(ctx, name+suffixes[index])
		})
		switch {
		case errors.Is(err, jetstream.ErrObjectNotFound):
		case err != nil:
			return nil, err
		default:
			list = append(list, object{index, info})
		}
	}
	slices.SortStableFunc(list, func(a, b object) int { return b.ModTime.Compare(a.ModTime) })
	return list, nil
}

// newest returns the newest complete object of a blob. It returns bus.ErrNone if no object is
// complete.
func (o *objects) newest(ctx context.Context, name string) (object, error) {
	list, err := o.find(ctx, name)
	if err != nil {
		return object{}, err
	}
	for _, one := range list {
		n, err := askUntilDone(ctx, o.report, func(ctx context.Context) (uint64, error) { return o.chunks(ctx, one.ObjectInfo) })
		if err != nil {
			return object{}, err
		}
		if n >= uint64(one.Chunks) {
			return one, nil
		}
	}
	return object{}, bus.ErrNone
}

// Put overwrites one of the two objects of a blob. It never overwrites the newest complete object.
func (o *objects) Put(ctx context.Context, name string, data []byte) error {
	o.mu.Lock()
	whole, known := o.whole[name]
	o.mu.Unlock()
	if !known {
		one, err := o.newest(ctx, name)
		if err != nil && !errors.Is(err, bus.ErrNone) {
			return err
		}
		whole = one.index
		if err != nil {
			whole = len(suffixes) - 1 // no object is complete, so the first object is written
		}
	}
	index := len(suffixes) - 1 - whole
	if _, err := o.store.PutBytes(ctx, name+suffixes[index], data); err != nil {
		return err
	}
	o.note(name, index)
	return nil
}

func (o *objects) note(name string, index int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.whole[name] = index
}

func (o *objects) Get(ctx context.Context, name string) ([]byte, error) {
	one, err := o.newest(ctx, name)
	if err != nil {
		return nil, err
	}
	from, err := o.store.Get(ctx, name+suffixes[one.index])
	if err != nil {
		return nil, notFoundError(err)
	}
	defer from.Close()
	data, err := io.ReadAll(io.LimitReader(from, bus.MaxBlobBytes+1))
	if err != nil {
		return nil, err
	}
	if len(data) > bus.MaxBlobBytes {
		return nil, fmt.Errorf("the saved state of %s in NATS has more than %d bytes, which no node of the cluster writes: check which other program writes to NATS", name, bus.MaxBlobBytes)
	}
	o.note(name, one.index)
	return data, nil
}

func (o *objects) Mark(ctx context.Context, name string) (string, error) {
	list, err := o.find(ctx, name)
	if err == nil && len(list) == 0 {
		err = bus.ErrNone
	}
	if err != nil {
		return "", err
	}
	return list[0].NUID, nil
}

func notFoundError(err error) error {
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return bus.ErrNone
	}
	return err
}
