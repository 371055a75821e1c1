package announce

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/engine/incident"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/ledger"
)

// Names of a directory and a file in the state directory.
const (
	historyDir = "history"
	ledgerFile = "ledger.sqlite"
)

// Options set the state directory, and how long its data are kept.
type Options struct {
	Dir       string
	History   history.Options
	Retention ledger.Retention
	Now       func() time.Time
	Report    func(sentence string) // receives a sentence when a trouble ends
	Warn      func(sentence string) // receives a sentence when a trouble begins or changes; if it is nil, Report receives this sentence
	// NewLedger makes Open create a new ledger if the ledger is missing or empty although files of
	// the journal or of the history exist. If NewLedger is false, Open returns ErrLedgerLost.
	NewLedger bool
}

// Store is the ledger and the history of one state directory, with the present troubles. Several
// goroutines may use Troubles without a lock. The caller must guard all other fields with its own
// lock.
type Store struct {
	Ledger   *ledger.Ledger
	History  *history.Store
	Troubles *Troubles
	Causes   map[string]command.Command // by incident ID: the last label of the incident
	Muted    map[string]command.Command // by component: the last command that muted the component
	Opened   int64                      // number of incidents that were opened since the diagnosis began

	o        Options
	retained int64 // row time of the last call of Ledger.Retain

	positioning sync.Mutex // held while the position of the ledger (the numbers of its last entries) is written
}

// mostLabels is the largest number of labels that are loaded, and mostMutes the largest number of
// mutes. In practice there are fewer, because operators write them by hand.
const mostLabels, mostMutes = 1000, 1000

// Open opens the ledger and the history in a directory.
func Open(ctx context.Context, o Options) (*Store, error) {
	t := &Store{o: o, Troubles: newTroubles(o.Now, o.Report, o.Warn), Causes: map[string]command.Command{}, Muted: map[string]command.Command{}}
	if err := t.open(ctx); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *Store) open(ctx context.Context) (err error) {
	if err := t.findLedger(); err != nil {
		return err
	}
	if t.Ledger, err = ledger.Open(ctx, filepath.Join(t.o.Dir, ledgerFile)); err != nil {
		return err
	}
	if why := t.Ledger.Unchecked(); why != "" {
		t.Troubles.Damaged(UncheckedLedger(t.Ledger.Path(), why))
	}
	if err := t.checkPosition(ctx); err != nil {
		return err
	}
	labels, err := t.Ledger.Labels(ctx, mostLabels)
	if err != nil {
		return err
	}
	for _, one := range labels {
		t.Causes[one.Incident] = one
	}
	mutes, err := t.Ledger.Mutes(ctx, mostMutes)
	if err != nil {
		return err
	}
	for i := range mutes {
		t.noteMute(&mutes[i])
	}
	t.History, err = history.Open(filepath.Join(t.o.Dir, historyDir), t.o.History)
	return err
}

// Close closes the ledger and the history.
func (t *Store) Close() error {
	var errs []error
	if t.History != nil {
		errs = append(errs, t.History.Close())
	}
	if t.Ledger != nil {
		errs = append(errs, t.Ledger.Close())
	}
	return errors.Join(errs...)
}

// Backup copies the ledger and the history into a directory. The store can be used during the copy.
func (t *Store) Backup(ctx context.Context, dir string) error {
	t.positioning.Lock() // so no entry of the audit trail is written between the copy of the ledger and the write of its position
	defer t.positioning.Unlock()
	if err := t.Ledger.Backup(ctx, filepath.Join(dir, ledgerFile)); err != nil {
		return err
	}
	if err := t.writePosition(ctx, dir); err != nil {
		return err
	}
	return t.History.Backup(filepath.Join(dir, historyDir))
}

// CheckHistory begins, changes or ends the trouble "history", which reports that the history could
// not be written. After a failed write, the history does not try to write for some time. In this
// time the caller passes no error, although the disk may still be full. So the trouble ends only if
// the caller passes no error and the last write succeeded.
func (t *Store) CheckHistory(err error) {
	if err == nil {
		err = t.History.Failing()
	}
	t.Troubles.Check("history", err)
}

// mostGaps is the largest number of unreadable files that the trouble "gaps" names. For all further
// unreadable files, the trouble gives only the number of files.
const mostGaps = 3

// CheckGaps begins, changes or ends the trouble "gaps", which names files of the history that
// cannot be read.
func (t *Store) CheckGaps() {
	list := t.History.Troubles()
	text := strings.Join(list[:min(len(list), mostGaps)], "; ")
	if more := len(list) - mostGaps; more > 0 {
		text += fmt.Sprintf("; the same is true for %s", english.Count(more, "more file"))
	}
	if text != "" {
		text += "; restore these files from a backup, or remove these files"
	}
	t.Troubles.Set("gaps", text)
}

// noteMute stores a mute command for each component that it mutes.
func (t *Store) noteMute(c *command.Command) {
	for _, name := range c.Components {
		t.Muted[name] = *c
	}
}

// note updates the fields Opened and Causes if an event opens an incident. It is called before the
// event is written.
func (t *Store) note(e *incident.Event) {
	if e.Change == incident.Opened {
		t.Opened++
		delete(t.Causes, e.Incident.ID) // this label belongs to an earlier incident with the same ID
	}
}

// retainSeconds is the shortest interval between two calls of Ledger.Retain, in seconds of row
// time.
const retainSeconds = 3600

// Retain drops old entries of the ledger, at most once in retainSeconds of row time.
func (t *Store) Retain(ctx context.Context, row int64) {
	if row-t.retained < retainSeconds {
		return
	}
	t.retained = row
	err := t.Ledger.Retain(ctx, row, t.o.Retention)
	if ctx.Err() == nil {
		t.Troubles.Check("retention", err)
	}
}
