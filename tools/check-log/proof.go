package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// proof is a .tlog-proof file, taken apart (https://c2sp.org/tlog-proof).
type proof struct {
	extra      []byte
	index      int64
	hashes     tlog.RecordProof
	checkpoint []byte
}

// policyOf takes checkpoints of one origin, signed by one key.
func policyOf(key, origin string) (torchwood.Policy, error) {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return nil, err
	}
	return torchwood.ThresholdPolicy(2,
		torchwood.OriginPolicy(origin), torchwood.SingleVerifierPolicy(verifier)), nil
}

func readProof(file []byte) (proof, error) {
	var read proof
	extra, err := torchwood.ProofExtraData(file)
	if err != nil {
		return read, err
	}
	head, checkpoint, _ := bytes.Cut(file, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	read.extra, read.checkpoint = extra, checkpoint
	digits, _ := strings.CutPrefix(lines[2], "index ")
	if read.index, err = strconv.ParseInt(digits, 10, 64); err != nil {
		return read, err
	}
	for _, line := range lines[3:] {
		hash, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(hash) != tlog.HashSize {
			return read, fmt.Errorf("%q is no hash", line)
		}
		read.hashes = append(read.hashes, tlog.Hash(hash))
	}
	return read, nil
}

func (p proof) file() []byte {
	return torchwood.FormatProofWithExtraData(p.index, p.extra, p.hashes, p.checkpoint)
}

// proofFile alters a .tlog-proof file in each of its parts, of which the extra data alone proves nothing.
func (t *tally) proofFile(policy torchwood.Policy, entry []byte, given proof, size int64) error {
	verify := func(altered proof, entry []byte) error {
		return torchwood.VerifyProof(policy, tlog.RecordHash(entry), altered.file())
	}
	err := t.refused("entry of a file", verify(given, t.flipped(entry)))
	if err == nil && size > 1 {
		other := given
		other.index = (given.index + 1) % size
		err = t.refused("index of a file", verify(other, entry))
	}
	if err == nil && len(given.hashes) > 0 {
		other := given
		other.hashes = t.otherHashes(given.hashes)
		err = t.refused("hash of a file", verify(other, entry))
	}
	if err == nil {
		other := given
		other.checkpoint = bytes.Replace(given.checkpoint,
			fmt.Appendf(nil, "\n%d\n", size), fmt.Appendf(nil, "\n%d\n", size+1), 1)
		err = t.refused("checkpoint of a file", verify(other, entry))
	}
	return err
}
