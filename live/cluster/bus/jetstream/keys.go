package jetstream

import (
	"context"
	"errors"
	"slices"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/limpet-storage/limpet/live/cluster/bus"
)

// keys stores leases as keys in a bucket. The values in this bucket expire. The methods of keys do
// not repeat a failed request. The caller repeats the request, because only the caller knows when to
// stop.
type keys struct{ kv jetstream.KeyValue }

func (k *keys) Acquire(ctx context.Context, key, owner string) (bus.Lease, error) {
	rev, err := k.kv.Create(ctx, key, []byte(owner))
	if err != nil {
		return bus.Lease{}, leaseError(err)
	}
	return bus.Lease{Key: key, Owner: owner, Fence: rev, Revision: rev}, nil
}

func (k *keys) Renew(ctx context.Context, l bus.Lease) (bus.Lease, error) {
	rev, err := k.kv.Update(ctx, l.Key, []byte(l.Owner), l.Revision)
	if err != nil {
		return l, leaseError(err)
	}
	l.Revision = rev
	return l, nil
}

func (k *keys) Release(ctx context.Context, l bus.Lease) error {
	return leaseError(k.kv.Delete(ctx, l.Key, jetstream.LastRevision(l.Revision)))
}

func (k *keys) Held(ctx context.Context) ([]string, error) {
	list, err := k.kv.Keys(ctx)
	if errors.Is(err, jetstream.ErrNoKeysFound) {
		return nil, nil
	}
	slices.Sort(list)
	return list, err
}

// leaseError converts an error of NATS. If the error means that another owner holds the lease,
// leaseError returns bus.ErrConflict.
func leaseError(err error) error {
	var api *jetstream.APIError
	if errors.Is(err, jetstream.ErrKeyExists) || errors.As(err, &api) &&
		(api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant) {
		return bus.ErrConflict
	}
	return err
}
