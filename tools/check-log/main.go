// Check-log verifies the log of a repository, or without one the audit log, by golang.org/x/mod's packages of
// transparency logs, and proofs of items by filippo.io/torchwood: its checkpoints, every tile, proofs between random sizes, and each item
// against its entry (docs/log.md). Then it alters what it was sent, and ends with 1 where any of that is taken.
//
//	VITRINE_TOKEN=… check-log -server http://localhost:8080 -repo photos -proofs 1000
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"filippo.io/torchwood"
	"golang.org/x/mod/sumdb/tlog"
)

// report is what was verified, and what was altered and refused.
type report struct {
	Key         string `json:"key"`
	Origin      string `json:"origin"`
	Size        int64  `json:"size"`
	Root        string `json:"root"`
	Seed        uint64 `json:"seed"`
	Checkpoints int    `json:"checkpoints"`
	Tiles       int    `json:"tiles"`
	Entries     int    `json:"entries"`
	Items       int    `json:"items"`
	Inclusions  int    `json:"inclusions"`
	Consistent  int    `json:"consistent"`
	Corrections int    `json:"corrections"`
	// Policies are those of a bundle by which a checkpoint was verified.
	Policies int `json:"policies"`
	// Sizes are those of trees that are proven beside random ones, as tiles and their levels end there.
	Sizes   []int64        `json:"sizes"`
	Refused map[string]int `json:"refused"`
}

func main() {
	url := flag.String("server", "http://localhost:8080", "the address of the server")
	repo := flag.String("repo", "", "the repository; the audit log where none is named")
	proofs := flag.Int("proofs", 1000, "proofs of inclusion, and of consistency between random sizes")
	seed := flag.Uint64("seed", rand.Uint64(), "what chance decides by")
	key := flag.String("key", "", "the verifier key; without it the server's is trusted")
	before := flag.String("before", "", "a state that was verified earlier, as size:root")
	flag.Parse()
	made, err := run(&server{url: *url, token: os.Getenv("VITRINE_TOKEN")}, *repo, *key, *before, *proofs, *seed)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v (-seed %d)\n", *repo, err, *seed)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(made)
}

// check is a log that is being checked.
type check struct {
	server *server
	repo   string
	key    string
	origin string
	policy torchwood.Policy
	random *rand.Rand
	tally  *tally
	trees  map[int64]tlog.Tree
	report *report
}

func run(from *server, repo, key, before string, proofs int, seed uint64) (*report, error) {
	served, err := from.verifierKey(repo)
	if err != nil {
		return nil, err
	}
	if key != "" && key != served {
		return nil, fmt.Errorf("the key of the server is %s, not %s", served, key)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	altered := &tally{counts: map[string]int{}, random: random}
	name, _, _ := strings.Cut(served, "+")
	policy, err := policyOf(served, name)
	if err != nil {
		return nil, err
	}
	log := &check{
		server: from, repo: repo, key: served, origin: name, policy: policy,
		random: random, tally: altered, trees: map[int64]tlog.Tree{},
		report: &report{Key: served, Seed: seed, Refused: altered.counts},
	}
	signed, err := from.checkpoint(repo, -1)
	if err != nil {
		return nil, err
	}
	tree, err := openCheckpoint(signed, served, log.origin, -1)
	if err != nil {
		return nil, err
	}
	if tree.N < 2 {
		return nil, fmt.Errorf("a log of %d entries is too short to prove anything of", tree.N)
	}
	if err := altered.checkpoint(signed, served, log.origin); err != nil {
		return nil, err
	}
	if _, err := log.treeOf(0); err != nil {
		return nil, err
	}
	if before != "" {
		if err := log.goesOn(before, tree); err != nil {
			return nil, err
		}
	}
	entries, err := log.tiles(tree)
	if err == nil && repo == "" {
		err = log.acts(entries)
	} else if err == nil {
		err = log.items(entries)
	}
	if err == nil {
		err = log.edges(tree, entries)
	}
	if err == nil && repo != "" {
		err = log.bundle()
	}
	for made := 0; err == nil && made < proofs; made++ {
		if err = log.inclusion(tree, entries); err == nil {
			err = log.consistency(tree)
		}
	}
	log.report.Origin, log.report.Size, log.report.Root = log.origin, tree.N, tree.Hash.String()
	log.report.Checkpoints = len(log.trees) + 1
	return log.report, err
}

// treeOf verifies the checkpoint of a size.
func (c *check) treeOf(size int64) (tlog.Tree, error) {
	if known, found := c.trees[size]; found {
		return known, nil
	}
	signed, err := c.server.checkpoint(c.repo, size)
	if err != nil {
		return tlog.Tree{}, err
	}
	tree, err := openCheckpoint(signed, c.key, c.origin, size)
	if err != nil {
		return tree, err
	}
	if size == 0 {
		// The hash of no entries is defined (RFC 6962 §2.1).
		if empty, _ := tlog.TreeHash(0, nil); tree.Hash != empty {
			return tree, fmt.Errorf("a log without entries has the root %v", tree.Hash)
		}
	}
	c.trees[size] = tree
	return tree, nil
}

// goesOn verifies that a tree goes on from a state that was verified earlier.
func (c *check) goesOn(before string, tree tlog.Tree) error {
	size, root, _ := strings.Cut(before, ":")
	hash, err := tlog.ParseHash(root)
	if err != nil {
		return err
	}
	count, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return err
	}
	hashes, err := c.server.consistency(c.repo, count, tree.N)
	if err != nil {
		return err
	}
	old := tlog.Tree{N: count, Hash: hash}
	if err := checkConsistency(old, tree, hashes); err != nil {
		return fmt.Errorf("the log does not go on from that of %s: %w", before, err)
	}
	return c.tally.consistency(old, tree, hashes)
}

// tiles verifies every tile and every bundle of a tree, and returns its entries.
func (c *check) tiles(tree tlog.Tree) ([][]byte, error) {
	store := tileStore{}
	tiles := tlog.NewTiles(tileHeight, 0, tree.N)
	for _, tile := range tiles {
		data, err := c.server.tile(c.repo, tile)
		if err != nil {
			return nil, err
		}
		if len(data) != tile.W*tlog.HashSize {
			return nil, fmt.Errorf("tile %s has %d bytes", tile.Path(), len(data))
		}
		store[tile] = data
	}
	var entries [][]byte
	for _, tile := range tiles {
		if err := checkTile(tree, store, tile); err != nil {
			return nil, err
		}
		if err := c.tally.tile(tree, store, tile); err != nil {
			return nil, err
		}
		c.report.Tiles++
		if tile.L > 0 {
			continue
		}
		bundle, err := c.server.bundle(c.repo, tile)
		if err != nil {
			return nil, err
		}
		more, err := checkBundle(bundle, tile, store[tile])
		if err != nil {
			return nil, err
		}
		if err := c.tally.bundle(bundle, tile, store[tile]); err != nil {
			return nil, err
		}
		entries = append(entries, more...)
	}
	c.report.Entries = len(entries)
	return entries, nil
}

// acts verifies that the audit log has exactly the entries of the log.
func (c *check) acts(entries [][]byte) error {
	hashes, err := c.server.acts()
	if err != nil {
		return err
	}
	if len(hashes) != len(entries) {
		return fmt.Errorf("there are %d acts, and %d entries", len(hashes), len(entries))
	}
	for at, hash := range hashes {
		if hash != string(entries[at]) {
			return fmt.Errorf("act %d has the hash %s, and its entry %s", at+1, hash, entries[at])
		}
	}
	return nil
}

// items verifies that the repository has exactly the items of its entries, with every value.
func (c *check) items(entries [][]byte) error {
	items, err := c.server.items(c.repo)
	if err != nil {
		return err
	}
	if len(items) != len(entries) {
		return fmt.Errorf("there are %d items, and %d entries", len(items), len(entries))
	}
	replaced := corrections{seals: map[int64]string{}, replaced: map[int64]int64{}}
	for at, shown := range items {
		logged, err := readEntry(entries[at])
		if err != nil {
			return err
		}
		if err := replaced.add(logged); err != nil {
			return err
		}
		files := map[string][]byte{}
		file := func(field string) ([]byte, error) {
			if read, found := files[field]; found {
				return read, nil
			}
			read, err := c.server.file(c.repo, logged.ID, field)
			files[field] = read
			return read, err
		}
		if err := checkItem(shown, logged, file); err != nil {
			return err
		}
		if err := c.tally.item(shown, logged, file); err != nil {
			return fmt.Errorf("item %d: %w", logged.ID, err)
		}
		c.report.Items++
	}
	c.report.Corrections = len(replaced.replaced)
	return nil
}

// edges verifies trees of the sizes at which tiles and their levels begin and end: the last entry of each, and that
// each goes on where the one before ended.
func (c *check) edges(tree tlog.Tree, entries [][]byte) error {
	old := int64(0)
	for _, size := range []int64{1, 2, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, tree.N} {
		if size > tree.N {
			continue
		}
		if err := c.includes(entries, size-1, size); err != nil {
			return err
		}
		if old > 0 {
			if err := c.continues(old, size); err != nil {
				return err
			}
			if err := c.continues(old, tree.N); err != nil {
				return err
			}
		}
		old = size
		c.report.Sizes = append(c.report.Sizes, size)
	}
	return nil
}

// inclusion verifies that a tree of some size has some entry.
func (c *check) inclusion(tree tlog.Tree, entries [][]byte) error {
	index := c.random.Int64N(tree.N)
	if c.repo != "" {
		c.report.Inclusions++
	}
	return c.includes(entries, index, index+1+c.random.Int64N(tree.N-index))
}

// includes verifies that the tree of a size has an entry, where the server proves that of one: of the audit log it does
// not, whose tiles were verified.
func (c *check) includes(entries [][]byte, index, size int64) error {
	if c.repo == "" {
		return nil
	}
	logged, err := readEntry(entries[index])
	if err != nil {
		return err
	}
	file, err := c.server.proof(c.repo, logged.ID, size)
	if err != nil {
		return err
	}
	given, err := readProof(file)
	if err != nil {
		return err
	}
	then, err := openCheckpoint(given.checkpoint, c.key, c.origin, size)
	if err != nil {
		return err
	}
	if given.index != index || !bytes.Equal(given.extra, entries[index]) {
		return fmt.Errorf("the proof of item %d is of entry %d, %s", logged.ID, given.index, given.extra)
	}
	if err := torchwood.VerifyProof(c.policy, tlog.RecordHash(entries[index]), file); err != nil {
		return fmt.Errorf("item %d in a log of %d: %w", logged.ID, size, err)
	}
	if err := checkInclusion(then, index, entries[index], given.hashes); err != nil {
		return fmt.Errorf("item %d in a log of %d: %w", logged.ID, size, err)
	}
	if err := c.tally.proofFile(c.policy, entries[index], given, size); err != nil {
		return err
	}
	return c.tally.inclusion(then, index, entries[index], given.hashes)
}

// consistency verifies that a tree of some size goes on where one of another size ended.
func (c *check) consistency(tree tlog.Tree) error {
	from := 1 + c.random.Int64N(tree.N)
	c.report.Consistent++
	return c.continues(from, from+c.random.Int64N(tree.N-from+1))
}

// continues verifies that the tree of one size goes on where that of another ended.
func (c *check) continues(from, to int64) error {
	old, err := c.treeOf(from)
	if err != nil {
		return err
	}
	now, err := c.treeOf(to)
	if err != nil {
		return err
	}
	hashes, err := c.server.consistency(c.repo, from, to)
	if err != nil {
		return err
	}
	if err := checkConsistency(old, now, hashes); err != nil {
		return fmt.Errorf("the log of %d after that of %d: %w", to, from, err)
	}
	return c.tally.consistency(old, now, hashes)
}
