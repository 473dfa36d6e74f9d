package main

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	mathrand "math/rand/v2"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// tally counts what was altered and refused, by what it was.
type tally struct {
	counts map[string]int
	kinds  []string
	random *mathrand.Rand
}

// refused notes that something altered was refused, and fails where it was taken.
func (t *tally) refused(kind string, err error) error {
	if err == nil {
		return fmt.Errorf("%s was altered, and taken", kind)
	}
	if t.counts[kind] == 0 {
		t.kinds = append(t.kinds, kind)
	}
	t.counts[kind]++
	return nil
}

// flipped returns bytes with one bit of them turned over.
func (t *tally) flipped(data []byte) []byte {
	return flippedAt(data, t.random.IntN(len(data)), t.random.IntN(8))
}

func flippedAt(data []byte, at, bit int) []byte {
	altered := bytes.Clone(data)
	altered[at] ^= 1 << bit
	return altered
}

// checkpoint alters a checkpoint in each of its parts.
func (t *tally) checkpoint(signed []byte, key, origin string) error {
	tree, err := openCheckpoint(signed, key, origin, -1)
	if err != nil {
		return err
	}
	end := bytes.LastIndex(signed, []byte("\n\n")) + 1
	text, signature := string(signed[:end]), string(signed[end:])
	open := func(kind string, text, signature, key string) error {
		_, err := openCheckpoint([]byte(text+signature), key, origin, -1)
		return t.refused(kind, err)
	}
	lines := strings.SplitN(text, "\n", 4)
	part := func(kind string, at int, other string) error {
		altered := append([]string{}, lines...)
		altered[at] = other
		return open(kind, strings.Join(altered, "\n"), signature, key)
	}
	otherRoot := t.flipped(tree.Hash[:])
	head, sealed, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(signature, "\n\u2014 "), "\n"), " ")
	bytesOf, err := base64.StdEncoding.DecodeString(sealed)
	if err != nil {
		return err
	}
	noted := func(name string, signed []byte) string {
		return fmt.Sprintf("\n\u2014 %s %s\n", name, base64.StdEncoding.EncodeToString(signed))
	}
	checks := []func() error{
		func() error { return part("checkpoint's size", 1, fmt.Sprint(tree.N+1)) },
		func() error { return part("checkpoint's size", 1, fmt.Sprintf("0%d", tree.N)) },
		func() error {
			return part("checkpoint's root", 2, base64.StdEncoding.EncodeToString(otherRoot))
		},
		func() error { return part("checkpoint's origin", 0, origin+"x") },
		func() error { return open("checkpoint's text", text+"more\n", signature, key) },
		func() error { return open("checkpoint's key name", text, noted(head+"x", bytesOf), key) },
		func() error { return open("checkpoint's signature", text, "\n", key) },
	}
	for at := range bytesOf {
		kind := "checkpoint's signature"
		if at < 4 {
			kind = "checkpoint's key id"
		}
		checks = append(checks, func() error {
			return open(kind, text, noted(head, flippedAt(bytesOf, at, t.random.IntN(8))), key)
		})
	}
	for at := range text {
		checks = append(checks, func() error {
			return open("checkpoint's text", string(flippedAt([]byte(text), at, t.random.IntN(7))), signature, key)
		})
	}
	checks = append(checks, func() error { return t.otherKey(signed, text, key, origin) })
	// Of another log: what is signed for it is right, but it is not what was asked for.
	checks = append(checks, func() error {
		_, err := openCheckpoint(signed, key, origin+"-other", -1)
		return t.refused("checkpoint of another log", err)
	})
	for _, check := range checks {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// otherKey signs the text by another key of the same name, and verifies what was signed by that other key.
func (t *tally) otherKey(signed []byte, text, key, origin string) error {
	name, _, _ := strings.Cut(key, "+")
	otherPrivate, otherKey, err := note.GenerateKey(rand.Reader, name)
	if err != nil {
		return err
	}
	signer, err := note.NewSigner(otherPrivate)
	if err != nil {
		return err
	}
	forged, err := note.Sign(&note.Note{Text: text}, signer)
	if err != nil {
		return err
	}
	_, err = openCheckpoint(forged, key, origin, -1)
	if err := t.refused("checkpoint's key", err); err != nil {
		return err
	}
	_, err = openCheckpoint(signed, otherKey, origin, -1)
	return t.refused("checkpoint's key", err)
}

// inclusion alters a proof that a tree has an entry.
func (t *tally) inclusion(tree tlog.Tree, index int64, entry []byte, hashes tlog.RecordProof) error {
	err := t.refused("entry of a proof", checkInclusion(tree, index, t.flipped(entry), hashes))
	other := tree
	other.Hash = tlog.Hash(t.flipped(tree.Hash[:]))
	if err == nil {
		err = t.refused("root of a proof", checkInclusion(other, index, entry, hashes))
	}
	if err == nil && len(hashes) > 0 {
		err = t.refused("hash of a proof", checkInclusion(tree, index, entry, t.otherHashes(hashes)))
	}
	if err == nil && len(hashes) > 0 {
		err = t.refused("length of a proof", checkInclusion(tree, index, entry, hashes[1:]))
	}
	if err == nil {
		longer := append(append(tlog.RecordProof{}, hashes...), tree.Hash)
		err = t.refused("length of a proof", checkInclusion(tree, index, entry, longer))
	}
	if err == nil && tree.N > 1 {
		err = t.refused("index of a proof", checkInclusion(tree, (index+1)%tree.N, entry, hashes))
	}
	return err
}

// consistency alters a proof that a tree goes on where a smaller one ended.
func (t *tally) consistency(old, tree tlog.Tree, hashes tlog.TreeProof) error {
	other := old
	other.Hash = tlog.Hash(t.flipped(old.Hash[:]))
	err := t.refused("root before", checkConsistency(other, tree, hashes))
	other = tree
	other.Hash = tlog.Hash(t.flipped(tree.Hash[:]))
	if err == nil {
		err = t.refused("root now", checkConsistency(old, other, hashes))
	}
	if err == nil && len(hashes) > 0 {
		err = t.refused("hash of a consistency proof", checkConsistency(old, tree, t.otherHashes(hashes)))
	}
	if err == nil && len(hashes) > 0 {
		err = t.refused("length of a consistency proof", checkConsistency(old, tree, hashes[1:]))
	}
	if err == nil {
		longer := append(append(tlog.TreeProof{}, hashes...), tree.Hash)
		err = t.refused("length of a consistency proof", checkConsistency(old, tree, longer))
	}
	return err
}

func (t *tally) otherHashes(hashes []tlog.Hash) []tlog.Hash {
	altered := append([]tlog.Hash{}, hashes...)
	at := t.random.IntN(len(altered))
	altered[at] = tlog.Hash(t.flipped(altered[at][:]))
	return altered
}

// tile alters a tile, and what lies beside it.
func (t *tally) tile(tree tlog.Tree, store tileStore, tile tlog.Tile) error {
	altered := store.with(tile, t.flipped(store[tile]))
	if err := t.refused("tile", checkTile(tree, altered, tile)); err != nil {
		return err
	}
	shorter := store.with(tile, store[tile][tlog.HashSize:])
	return t.refused("length of a tile", checkTile(tree, shorter, tile))
}

// bundle alters entries, and their lengths.
func (t *tally) bundle(bundle []byte, tile tlog.Tile, hashes []byte) error {
	refuse := func(kind string, altered []byte) error {
		_, err := checkBundle(altered, tile, hashes)
		return t.refused(kind, err)
	}
	if err := refuse("bundle of entries", t.flipped(bundle)); err != nil {
		return err
	}
	if err := refuse("length of an entry", flippedAt(bundle, 1, t.random.IntN(8))); err != nil {
		return err
	}
	if err := refuse("length of a bundle", bundle[:len(bundle)-1]); err != nil {
		return err
	}
	return refuse("length of a bundle", append(bytes.Clone(bundle), 0, 0))
}

// item alters each thing that an item is shown with.
func (t *tally) item(shown item, logged entry, file func(field string) ([]byte, error)) error {
	check := func(kind string, altered item, logged entry) error {
		return t.refused(kind, checkItem(altered, logged, file))
	}
	for column, value := range shown {
		altered := item{}
		for each, kept := range shown {
			altered[each] = kept
		}
		isFile := shown[column+".mime"] != nil
		if isFile || strings.HasSuffix(column, ".seal") {
			// What is shown of a file is its digest, which its bytes are compared with.
			continue
		}
		altered[column] = fmt.Sprint(value) + "0"
		if err := check("item's "+partOf(column), altered, logged); err != nil {
			return err
		}
	}
	for column := range shown {
		field, isDigest := strings.CutSuffix(column, ".sha256")
		if !isDigest {
			continue
		}
		without := item{}
		for each, kept := range shown {
			if each != field && !strings.HasPrefix(each, field+".") {
				without[each] = kept
			}
		}
		if err := check("item without a value", without, logged); err != nil {
			return err
		}
	}
	for column := range shown {
		field, isFile := strings.CutSuffix(column, ".mime")
		if !isFile {
			continue
		}
		read, err := file(field)
		if err != nil {
			return err
		}
		damaged := func(string) ([]byte, error) { return append(bytes.Clone(read), 0), nil }
		if err := t.refused("bytes of a file", checkItem(shown, logged, damaged)); err != nil {
			return err
		}
	}
	other := logged
	other.Seal = hexDigest([]byte(logged.Seal))
	return check("seal of an entry", shown, other)
}

func partOf(column string) string {
	if at := strings.LastIndex(column, "."); at >= 0 {
		return column[at+1:]
	}
	if column == "id" || column == "createdAt" {
		return column
	}
	return "value"
}
