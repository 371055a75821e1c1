package announce

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrLedgerLost means that the state directory has a journal or a history, but no ledger. If
// Options.NewLedger is false, Open returns this error and changes nothing.
var ErrLedgerLost = errors.New("restore the ledger from a backup, or start limpet once with --new-ledger. --new-ledger creates an empty ledger: " +
	"past incidents, events, commands, the audit trail and undelivered notifications are then lost")

// LedgerLost checks the ledger in a state directory. The ledger is lost if it is missing or empty,
// although files of the journal or of the history exist. Then the first result is an error with the
// cause ErrLedgerLost. If the ledger is not lost, the first result is nil. The second result is an
// error if the directory cannot be read.
func LedgerLost(dir string) (lost, err error) {
	loss, err := ledgerLoss(dir)
	if err != nil || loss == "" {
		return nil, err
	}
	return fmt.Errorf("%s: %w", loss, ErrLedgerLost), nil
}

// ledgerLoss returns a text that describes the loss if the ledger is missing or empty. It returns
// an empty text if the ledger has data, or if the state directory never had a ledger.
func ledgerLoss(dir string) (string, error) {
	path := filepath.Join(dir, ledgerFile)
	is := "is empty"
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		is = "is missing"
	case err != nil || info.Size() > 0:
		return "", nil // ledger.Open will check the content of the file, or return the error
	}
	other, err := otherFile(dir)
	if err != nil || other == "" {
		return "", err
	}
	return fmt.Sprintf("the ledger (file %s) %s, but other files of the saved state exist (such as %s)", path, is, other), nil
}

// findLedger returns an error if the ledger is lost. It runs before SQLite opens the ledger,
// because SQLite turns an empty file into a new ledger. If Options.NewLedger is true, findLedger
// returns no error, but reports the loss (Troubles.Damaged).
func (t *Store) findLedger() error {
	loss, err := ledgerLoss(t.o.Dir)
	switch {
	case err != nil || loss == "":
		return err
	case !t.o.NewLedger:
		return fmt.Errorf("%s: %w", loss, ErrLedgerLost)
	}
	t.Troubles.Damaged(loss + ": a new ledger was created; past incidents, events, commands, the audit trail and undelivered notifications are lost")
	return nil
}

// UncheckedLedger returns a sentence about a ledger that limpet could not check: limpet could not
// compare the pages with their checksums. The parameter `why` is the reason, from
// [ledger.Ledger.Unchecked]. The caller has run the integrity check of SQLite, and the check has
// found no damage.
func UncheckedLedger(path, why string) string {
	return fmt.Sprintf("limpet cannot check the data of the ledger (file %s), because %s. SQLite finds no damage, but SQLite does not see whether a stored value was changed. "+
		"If a disk has failed, restore the ledger from a backup. Otherwise start limpet serve: it accepts the data and writes new checksums for them", path, why)
}

// otherFile returns the path of a file of the journal or of the history. A process creates its
// ledger before these files. So if such a file exists, the state directory also had a ledger.
// otherFile returns an empty path if there is no such file.
func otherFile(dir string) (string, error) {
	for _, pattern := range []string{"journal/*.snapshot*", "journal/*.log", historyDir + "/*/*.parquet"} {
		found, err := fs.Glob(os.DirFS(dir), pattern)
		if err != nil {
			return "", err
		}
		if len(found) > 0 {
			return filepath.Join(dir, found[0]), nil
		}
	}
	return "", nil
}
