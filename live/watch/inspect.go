package watch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/limpet-storage/limpet/engine"
	"github.com/limpet-storage/limpet/engine/command"
	"github.com/limpet-storage/limpet/ingest/exporter"
	"github.com/limpet-storage/limpet/internal/english"
	"github.com/limpet-storage/limpet/internal/inspection"
	"github.com/limpet-storage/limpet/internal/outfile"
	"github.com/limpet-storage/limpet/live/announce"
	"github.com/limpet-storage/limpet/live/history"
	"github.com/limpet-storage/limpet/live/journal"
	"github.com/limpet-storage/limpet/live/ledger"
	"github.com/limpet-storage/limpet/report/outcome"
)

// Inspection is the result of reading all files of a state directory, without changing a file.
type Inspection struct {
	Parts []Part
	// Refused is the reason why serve does not start with this state. It is nil if serve starts.
	Refused error
	// Damage has a sentence for each damaged or missing file, with the consequences.
	Damage []string
	// Unchecked has a sentence for each file whose contents could not be checked.
	Unchecked []string
	// Notes are sentences about facts that are not damage.
	Notes []string
}

// Part is a part of a state: the journal, the ledger, the history or the intake (data that other
// programs have sent).
type Part struct {
	Name           string
	Files, Damaged int
	Bytes          int64
}

// Names of the files and directories that hold the parts of a state.
const (
	ledgerPart  = "ledger.sqlite"
	historyPart = "history"
	intakePart  = "intake"
)

// inspector collects the results for an Inspection.
type inspector struct {
	Inspection
	ctx context.Context
	dir string

	journal *journal.Inspection // nil if there is no journal
	ledger  *ledger.Ledger      // a copy of the ledger; nil if there is no readable ledger
	ends    int64               // end of the last step of the history
}

// Inspect reads every byte of a state directory. It changes nothing. It returns an error if the
// directory holds no state, or if a process uses the state.
func Inspect(ctx context.Context, dir string) (*Inspection, error) {
	in := &inspector{ctx: ctx, dir: dir}
	if err := in.entries(); err != nil {
		return nil, err
	}
	if err := in.readJournal(); err != nil {
		return nil, err
	}
	done, err := in.readLedger()
	if err != nil {
		return nil, err
	}
	defer done()
	if err := in.readHistory(); err != nil {
		return nil, err
	}
	in.readIntake()
	if err := in.compare(); err != nil {
		return nil, err
	}
	return &in.Inspection, ctx.Err()
}

func (in *inspector) path(name string) string { return filepath.Join(in.dir, name) }

func (in *inspector) damagef(format string, args ...any) {
	in.Damage = append(in.Damage, fmt.Sprintf(format, args...))
}

func (in *inspector) refuse(err error) { in.Refused = cmp.Or(in.Refused, err) }

// parts are the names of the files and directories of which a state has at least one.
func parts() []string { return []string{journalDir, ledgerPart, historyPart, intakePart} }

// CheckStateDir returns an error if a directory has no saved state but files of another program, because
// a new state would lie among these files. Four kinds of files are allowed: hidden files, lost+found,
// state files of limpet diagnose --changes, and paths for which the function `allowed` returns true.
func CheckStateDir(dir string, allowed func(path string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // the directory is created later, or its creation fails
	}
	other := ""
	for _, e := range entries {
		name := e.Name()
		if slices.Contains(parts(), name) {
			return nil
		}
		if name != "lost+found" && name[0] != '.' && !allowed(filepath.Join(dir, name)) && !outcome.IsMemory(filepath.Join(dir, name)) {
			other = cmp.Or(other, name)
		}
	}
	if other == "" {
		return nil
	}
	return fmt.Errorf("directory %s has other files, such as %s, and no saved state of limpet: name a new or an empty directory with --state", dir, other)
}

// entries checks that the directory holds a state. It adds a note for each file that does not belong
// to the state.
func (in *inspector) entries() error {
	entries, err := os.ReadDir(in.dir)
	if err != nil {
		return err
	}
	if err := outfile.CheckOwnDir(in.dir); err != nil {
		in.refuse(err)
	}
	isState := false
	for _, e := range entries {
		if slices.Contains(parts(), e.Name()) {
			isState = true
		} else if !slices.Contains([]string{ledgerPart + "-wal", ledgerPart + "-shm", ledgerPart + "-sum", announce.PositionFile}, e.Name()) {
			in.Notes = append(in.Notes, fmt.Sprintf("file %s does not belong to the saved state", in.path(e.Name())))
		}
	}
	if !isState {
		return fmt.Errorf("directory %s has no saved state: name the directory that you gave to limpet serve --state", in.dir)
	}
	return nil
}

// part adds one part of the state, with the number and the size of its files.
func (in *inspector) part(name string, files []inspection.File) {
	p := Part{Name: name}
	for _, f := range files {
		switch {
		case f.Unknown:
			in.Notes = append(in.Notes, fmt.Sprintf("file %s does not belong to the saved state", f.Path))
			continue
		case f.Defect != "":
			p.Damaged++
		}
		p.Files, p.Bytes = p.Files+1, p.Bytes+f.Bytes
	}
	in.Parts = append(in.Parts, p)
}

func (in *inspector) readJournal() error {
	got, err := journal.Inspect(in.path(journalDir))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, journal.ErrInUse):
		return err
	case err != nil:
		in.refuse(fmt.Errorf("the journal cannot be opened: %w", err))
		return nil
	}
	in.journal = got
	in.part(journalDir, got.Files)
	if got.Refused != nil {
		in.refuse(got.Refused)
	}
	in.Damage = append(in.Damage, got.Troubles...)
	said := strings.Join(got.Troubles, "\n") + fmt.Sprint(got.Refused)
	for _, f := range got.Files {
		switch {
		case f.Defect == "" || strings.Contains(said, filepath.Base(f.Path)):
		case filepath.Ext(f.Path) == "":
			in.refuse(errors.New(f.Defect))
		default:
			in.damagef("%s; limpet does not need this file now", f.Defect)
		}
	}
	return nil
}

// readLedger opens a copy of the ledger. The returned function removes the copy.
func (in *inspector) readLedger() (done func(), err error) {
	path := in.path(ledgerPart)
	info, err := os.Lstat(path)
	if err == nil && info.IsDir() {
		in.refuse(fmt.Errorf("%s is a directory, but it must be the file of the ledger", path))
		return func() {}, nil
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if info, err := os.Lstat(path + suffix); err == nil && info.IsDir() {
			in.refuse(fmt.Errorf("%s is a directory, but it must be a file of the ledger", path+suffix))
			return func() {}, nil
		}
	}
	if lost, err := announce.LedgerLost(in.dir); err != nil || lost != nil {
		in.refuse(lost)
		return func() {}, err
	}
	if err != nil || info.Size() == 0 {
		return func() {}, nil
	}
	files := []inspection.File{{Path: path, Bytes: info.Size()}}
	if wal, err := os.Stat(path + "-wal"); err == nil {
		files = append(files, inspection.File{Path: path + "-wal", Bytes: wal.Size()})
	}
	l, done, err := ledger.OpenCopy(in.ctx, path)
	if err != nil {
		if in.ctx.Err() != nil {
			return nil, in.ctx.Err()
		}
		files[0].Defect = err.Error()
		in.refuse(err)
		done = func() {}
	}
	if in.ledger = l; l != nil && l.Unchecked() != "" {
		in.Unchecked = append(in.Unchecked, announce.UncheckedLedger(path, strings.ReplaceAll(l.Unchecked(), l.Path(), path)))
	}
	in.part("ledger", files)
	return done, nil
}

func (in *inspector) readHistory() error {
	files, ends, err := history.Inspect(in.ctx, in.path(historyPart))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case in.ctx.Err() != nil:
		return in.ctx.Err()
	case err != nil:
		in.refuse(fmt.Errorf("the history cannot be opened: %w", err))
		return nil
	}
	in.ends = ends
	in.part(historyPart, files)
	for _, f := range files {
		if f.Defect != "" {
			in.damagef("%s; restore this file from a backup, or remove this file", f.Defect)
		}
	}
	return nil
}

func (in *inspector) readIntake() {
	files, damage, err := exporter.Inspect(in.path(intakePart))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		in.refuse(fmt.Errorf("the received data cannot be opened: %w", err))
		return
	}
	in.part(intakePart, files)
	in.Damage = append(in.Damage, damage...)
	for _, f := range files {
		if f.Defect != "" {
			in.damagef("%s", f.Defect)
		}
	}
}

// compare compares the journal, the ledger and the history with each other, as Open does.
func (in *inspector) compare() error {
	if in.ledger == nil {
		return nil
	}
	if text, err := announce.OlderLedger(in.ctx, in.dir, in.ledger); err != nil || text != "" {
		if err != nil {
			return err
		}
		in.Damage = append(in.Damage, text)
	}
	var f ledger.Followed
	err := in.ledger.Step(in.ctx, func(tx *ledger.Tx) (err error) { f, err = tx.Follow("", 0); return err }) // in.ledger is a copy, so Follow does not change the real ledger
	if err != nil || f.IsNew {
		return err
	}
	if in.journal == nil || !in.journal.Found {
		commands, err := in.ledger.CommandsAfter(in.ctx, 0)
		if err != nil {
			return err
		}
		if text := journalMissing(in.dir, in.ledger.LastEvent(), len(commands), in.ends); text != "" && (in.journal == nil || len(in.journal.Troubles) == 0) {
			in.damagef("%s", text)
		}
		return nil
	}
	m, err := recall(in.journal.Meta)
	if err == nil {
		err = engine.CheckSaved(in.journal.Blob)
	}
	if errors.Is(err, engine.ErrNewer) {
		in.refuse(newerState(in.dir, err))
	} else if err != nil {
		in.Notes = append(in.Notes, fmt.Sprintf("the saved state of the diagnosis cannot be used (%v): limpet serve will read the files of the last days again", err))
	}
	if m == nil {
		return nil
	}
	return in.compareWith(m)
}

// compareWith compares the ledger and the history with a snapshot.
func (in *inspector) compareWith(m *meta) error {
	path := in.path(ledgerPart)
	if m.Ledger != "" && m.Ledger != in.ledger.Identity() {
		in.refuse(foreignLedger(path))
		return nil
	}
	has, err := in.ledger.Position(in.ctx)
	if err != nil {
		return err
	}
	if text := olderLedger(path, m, in.ledger.LastEvent(), has); text != "" {
		in.Damage = append(in.Damage, text)
	}
	if text := olderHistory(in.path(historyPart), m, in.ends, history.Lost(in.path(historyPart), m.Files)); text != "" {
		in.Damage = append(in.Damage, text)
	}
	return in.compareJournal(m)
}

// compareJournal adds a sentence if the journal has lost rows or commands. The journal has lost data
// if the ledger has a later command than the journal. It has also lost data if the ledger has an
// event that is later than the last row and the last command of the journal.
func (in *inspector) compareJournal(m *meta) error {
	last, until := max(m.Words, m.Owes), in.journal.Last
	err := in.journal.Notes(func(text []byte) error {
		var c command.Command
		err := json.Unmarshal(text, &c)
		last, until = max(last, c.Number), max(until, c.Time)
		return err
	})
	if err != nil {
		return err
	}
	commands, err := in.ledger.CommandsAfter(in.ctx, last)
	if err != nil {
		return err
	}
	told, err := in.ledger.EventSummaries(in.ctx, m.Events, in.ledger.LastEvent())
	if err != nil {
		return err
	}
	told = slices.DeleteFunc(told, func(e ledger.EventSummary) bool { return e.Time <= until })
	if len(told) > 0 || len(commands) > 0 {
		in.Damage = append(in.Damage, shorterJournal(in.dir, in.journal.Last, len(told), len(commands)))
	}
	return nil
}

// shorterJournal returns the sentence about a journal that has lost records.
func shorterJournal(stateDir string, last int64, events, commands int) string {
	end := "ends at " + stamp(last)
	if last == 0 {
		end = "has no time step"
	}
	return fmt.Sprintf("the journal in %s %s, but the ledger has %s and %s that the journal does not have: limpet reads the data again from the activity files, and the commands from the ledger",
		filepath.Join(stateDir, journalDir), end, english.Count(events, "event"), english.Count(commands, "command"))
}

// foreignLedger returns the error about a ledger that belongs to another state.
func foreignLedger(path string) error {
	return fmt.Errorf("the ledger (file %s) does not belong to the journal in the same directory: %w", path, announce.ErrLedgerLost)
}
