package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"filippo.io/torchwood"
)

// bundled is what a bundle says of one of its repositories (docs/bundles.md).
type bundled struct {
	Kind        string `json:"kind"`
	Description struct {
		Name string `json:"name"`
	} `json:"description"`
	Size       int64  `json:"size"`
	Checkpoint string `json:"checkpoint"`
}

// bundle verifies the checkpoint of each log in a bundle of the repository by the policy that the bundle has of it, and
// that neither an altered checkpoint nor the policy of another key is taken.
func (c *check) bundle() error {
	file, err := c.server.export(c.repo)
	if err != nil {
		return err
	}
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return err
	}
	var contents struct {
		Datasets []bundled `json:"datasets"`
	}
	text, err := read(archive, "bundle.json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &contents); err != nil {
		return err
	}
	for _, repo := range contents.Datasets {
		if repo.Kind != "repo" {
			continue
		}
		text, err := read(archive, "tlog-policy/"+repo.Description.Name)
		if err != nil {
			return err
		}
		policy, err := torchwood.ParsePolicy(text)
		if err != nil {
			return err
		}
		opened, _, err := torchwood.VerifyCheckpoint([]byte(repo.Checkpoint), policy)
		if err != nil {
			return err
		}
		if opened.N != repo.Size {
			return fmt.Errorf("the checkpoint of %s is of %d entries, not of %d", repo.Description.Name, opened.N, repo.Size)
		}
		altered := bytes.Replace([]byte(repo.Checkpoint), []byte("\n"), []byte("x\n"), 1)
		if _, _, err := torchwood.VerifyCheckpoint(altered, policy); err == nil {
			return fmt.Errorf("a checkpoint of another origin passes by the policy of %s", repo.Description.Name)
		}
		c.report.Policies++
	}
	return nil
}

func read(archive *zip.Reader, path string) ([]byte, error) {
	file, err := archive.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(file)
}
