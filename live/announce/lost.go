package announce

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrLedgerLost means that the directory has files of a state, but not the ledger of this state.
// Open returns it and changes nothing. It does not return it if Options.NewLedger is true.
var ErrLedgerLost = errors.New("put a backup in its place, or start once with --new-ledger: " +
	"past incidents, events, commands, the audit trail and undelivered notifications are lost then")

// findLedger returns an error if the ledger is missing or empty, while other files of the state
// exist. It runs before SQLite opens the ledger, because SQLite makes a new ledger of an empty file.
// If a new ledger is allowed, findLedger reports the loss as damage.
func (t *Store) findLedger() error {
	path := filepath.Join(t.o.Dir, ledgerFile)
	is := "is empty"
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		is = "is missing"
	case err != nil || info.Size() > 0:
		return nil // ledger.Open examines the file
	}
	other, err := otherFile(t.o.Dir)
	if err != nil || other == "" {
		return err
	}
	loss := fmt.Sprintf("the ledger %s %s, but the state has other files (%s)", path, is, other)
	if !t.o.NewLedger {
		return fmt.Errorf("%s: %w", loss, ErrLedgerLost)
	}
	t.Troubles.Damaged(loss + ": a new ledger was begun; past incidents, events, commands, the audit trail and undelivered notifications are lost")
	return nil
}

// otherFile returns the path of a file that a process with this state directory wrote after it had
// made its ledger. It returns an empty path if there is no such file.
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
