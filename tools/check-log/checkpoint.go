package main

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// openCheckpoint verifies the signature of a checkpoint, and that it is of the log and the size that were
// asked for; -1 is any size (https://c2sp.org/tlog-checkpoint).
func openCheckpoint(signed []byte, key, origin string, size int64) (tlog.Tree, error) {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return tlog.Tree{}, err
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	if err != nil {
		return tlog.Tree{}, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) < 4 {
		return tlog.Tree{}, fmt.Errorf("a checkpoint has at least three lines, not %d", len(lines)-1)
	}
	if lines[0] != origin {
		return tlog.Tree{}, fmt.Errorf("the checkpoint is of %q, not of %q", lines[0], origin)
	}
	count, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || strconv.FormatInt(count, 10) != lines[1] || count < 0 {
		return tlog.Tree{}, fmt.Errorf("%q is no size", lines[1])
	}
	root, err := base64.StdEncoding.Strict().DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize {
		return tlog.Tree{}, fmt.Errorf("%q is no root", lines[2])
	}
	if size >= 0 && count != size {
		return tlog.Tree{}, fmt.Errorf("the checkpoint is of %d entries, not of %d", count, size)
	}
	return tlog.Tree{N: count, Hash: tlog.Hash(root)}, nil
}

// checkInclusion verifies that a tree has an entry at an index.
func checkInclusion(tree tlog.Tree, index int64, entry []byte, hashes tlog.RecordProof) error {
	if index < 0 || index >= tree.N {
		return fmt.Errorf("a tree of %d has no entry %d", tree.N, index)
	}
	return tlog.CheckRecord(hashes, tree.N, tree.Hash, index, tlog.RecordHash(entry))
}

// checkConsistency verifies that a tree goes on where a smaller one ended.
func checkConsistency(old, tree tlog.Tree, hashes tlog.TreeProof) error {
	if old.N < 1 || old.N > tree.N {
		return fmt.Errorf("no tree of %d goes on from one of %d", tree.N, old.N)
	}
	return tlog.CheckTree(hashes, tree.N, tree.Hash, old.N, old.Hash)
}
