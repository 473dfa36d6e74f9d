package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// server is a running server, asked by its HTTP API alone.
type server struct {
	url   string
	token string
}

// item is a row of an export with digests.
type item map[string]any

func (s *server) get(path string) ([]byte, error) {
	request, err := http.NewRequest("GET", s.url+path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	reply, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	body, err := io.ReadAll(reply.Body)
	if err != nil {
		return nil, err
	}
	if reply.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET %s: %s: %s", path, reply.Status, body)
	}
	return body, nil
}

// logPath returns the address of the log of a repository, or of the audit log where none is named.
func logPath(repo string) string {
	if repo == "" {
		return "/api/audit/log"
	}
	return "/api/repo/" + repo + "/log"
}

func (s *server) verifierKey(repo string) (string, error) {
	key, err := s.get(logPath(repo) + "/vkey")
	return strings.TrimSuffix(string(key), "\n"), err
}

// checkpoint returns the signed note of the log of now, or of the size that it had earlier.
func (s *server) checkpoint(repo string, size int64) ([]byte, error) {
	query := ""
	if size >= 0 {
		query = fmt.Sprintf("?size=%d", size)
	}
	return s.get(logPath(repo) + "/checkpoint" + query)
}

func (s *server) tile(repo string, tile tlog.Tile) ([]byte, error) {
	// tlog names the height of tiles in their addresses, tlog-tiles has but one height.
	path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/", tile.H), "tile/", 1)
	return s.get(logPath(repo) + "/" + path)
}

func (s *server) bundle(repo string, tile tlog.Tile) ([]byte, error) {
	tile.L = 0
	path := strings.Replace(tile.Path(), fmt.Sprintf("tile/%d/0/", tile.H), "tile/entries/", 1)
	return s.get(logPath(repo) + "/" + path)
}

// export returns a bundle of a repository (docs/bundles.md).
func (s *server) export(repo string) ([]byte, error) {
	return s.get("/api/dataset/" + repo + "/export?format=bundle")
}

// proof returns the .tlog-proof file of an item (https://c2sp.org/tlog-proof).
func (s *server) proof(repo string, id, size int64) ([]byte, error) {
	return s.get(fmt.Sprintf("/api/repo/%s/item/%d/proof?size=%d", repo, id, size))
}

func (s *server) consistency(repo string, from, to int64) (tlog.TreeProof, error) {
	var read struct {
		Hashes []string `json:"hashes"`
	}
	body, err := s.get(fmt.Sprintf("%s/consistency?from=%d&to=%d", logPath(repo), from, to))
	if err == nil {
		err = json.Unmarshal(body, &read)
	}
	if err != nil {
		return nil, err
	}
	return hashesOf(read.Hashes)
}

// items returns every item of a repository, with the digest of each value.
func (s *server) items(repo string) ([]item, error) {
	body, err := s.get("/api/dataset/" + repo + "/export?format=ndjson&integrity=true")
	if err != nil {
		return nil, err
	}
	var items []item
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	decoder.UseNumber()
	for decoder.More() {
		var next item
		if err := decoder.Decode(&next); err != nil {
			return nil, err
		}
		items = append(items, next)
	}
	return items, nil
}

// acts returns the hash of every entry of the audit log.
func (s *server) acts() ([]string, error) {
	body, err := s.get("/api/audit/export")
	if err != nil {
		return nil, err
	}
	var hashes []string
	decoder := json.NewDecoder(strings.NewReader(string(body)))
	for decoder.More() {
		var next struct {
			Hash string `json:"hash"`
		}
		if err := decoder.Decode(&next); err != nil {
			return nil, err
		}
		hashes = append(hashes, next.Hash)
	}
	return hashes, nil
}

func (s *server) file(repo string, id int64, field string) ([]byte, error) {
	return s.get(fmt.Sprintf("/api/dataset/%s/item/%d/%s", repo, id, url.PathEscape(field)))
}

func hashesOf(texts []string) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(texts))
	for at, text := range texts {
		bytes, err := hex.DecodeString(text)
		if err != nil || len(bytes) != tlog.HashSize {
			return nil, fmt.Errorf("%q is no hash", text)
		}
		hashes[at] = tlog.Hash(bytes)
	}
	return hashes, nil
}
