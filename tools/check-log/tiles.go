package main

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Of 256 hashes, as tlog-tiles has them all.
const tileHeight = 8

// tileStore has the tiles that a server sent, for the reader of tlog.
type tileStore map[tlog.Tile][]byte

func (store tileStore) Height() int { return tileHeight }

func (store tileStore) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	read := make([][]byte, len(tiles))
	for at, tile := range tiles {
		data, found := store[tile]
		if !found {
			return nil, fmt.Errorf("there is no tile %s", tile.Path())
		}
		read[at] = data
	}
	return read, nil
}

func (store tileStore) SaveTiles([]tlog.Tile, [][]byte) {}

// with returns the tiles with another one in the place of one.
func (store tileStore) with(tile tlog.Tile, data []byte) tileStore {
	other := make(tileStore, len(store))
	for each, kept := range store {
		other[each] = kept
	}
	other[tile] = data
	return other
}

// checkTile verifies every hash of a tile by the tiles above it, and by the root of the tree.
func checkTile(tree tlog.Tree, store tileStore, tile tlog.Tile) error {
	indexes := make([]int64, tile.W)
	for at := range indexes {
		indexes[at] = tlog.StoredHashIndex(tile.L*tileHeight, tile.N<<tileHeight+int64(at))
	}
	hashes, err := tlog.TileHashReader(tree, store).ReadHashes(indexes)
	if err != nil {
		return err
	}
	data := store[tile]
	for at, hash := range hashes {
		if !bytes.Equal(hash[:], data[at*tlog.HashSize:(at+1)*tlog.HashSize]) {
			return fmt.Errorf("hash %d of tile %s is not that of the tree", at, tile.Path())
		}
	}
	return nil
}

// checkBundle reads the entries of a bundle, and verifies that the tile of the lowest level has their hashes.
func checkBundle(bundle []byte, tile tlog.Tile, hashes []byte) ([][]byte, error) {
	var entries [][]byte
	for rest := bundle; len(rest) > 0; {
		if len(rest) < 2 {
			return nil, fmt.Errorf("bundle %d ends within a length", tile.N)
		}
		end := 2 + int(binary.BigEndian.Uint16(rest))
		if end > len(rest) {
			return nil, fmt.Errorf("bundle %d ends within an entry", tile.N)
		}
		entries = append(entries, rest[2:end])
		rest = rest[end:]
	}
	if len(entries) != tile.W {
		return nil, fmt.Errorf("bundle %d has %d entries, not %d", tile.N, len(entries), tile.W)
	}
	for at, entry := range entries {
		hash := tlog.RecordHash(entry)
		if !bytes.Equal(hash[:], hashes[at*tlog.HashSize:(at+1)*tlog.HashSize]) {
			return nil, fmt.Errorf("entry %d of bundle %d is not what the tile has the hash of", at, tile.N)
		}
	}
	return entries, nil
}
