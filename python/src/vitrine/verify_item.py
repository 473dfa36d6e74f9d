"""Proves one item by the log of its repository."""

from __future__ import annotations

import hashlib
from typing import Any

from vitrine.checkpoint import CheckpointError, check_checkpoint
from vitrine.connection import Connection, path_of
from vitrine.dataset import Dataset
from vitrine.errors import VerificationError
from vitrine.field import Field
from vitrine.known_logs import find_known_log, keep_known_log
from vitrine.log.entry import Entry, seal_of
from vitrine.log.proof import LogProof
from vitrine.log.tree import ProofError, leaf_hash, root_by_inclusion
from vitrine.value_bytes import file_digest, text_bytes
from vitrine.verification import Damage, Verification


def verify_item(dataset: Dataset, item_id: int) -> Verification:
    """Compares an item with its digests, these with its entry in the log, and the entry with the signed checkpoint. Of
    a view it is the item of the repository that has it.

    :raises VerificationError: where something does not fit
    """
    connection = dataset.connection
    repo = _repository_of(connection, dataset.info)
    name, schema = repo["name"], [Field.of(field) for field in repo["schema"]]
    item = connection.get(path_of("dataset", name, "item", item_id))
    found = Verification(items=1)
    integrity = item.get("integrity", {})
    for field in schema:
        value, sealed = item["data"].get(field.name), integrity.get(field.name)
        if value is None and sealed is None:
            continue
        digest = None if value is None else _digest_of(connection, name, item_id, field, value, found)
        if sealed is None or digest != sealed["sha256"]:
            found.damage.append(Damage("is not what was added", item_id, field.name))

    text = connection.request("GET", path_of("repo", name, "item", item_id, "proof")).text
    proof = LogProof.read(text)
    if proof is None or proof.extra is None:
        found.damage.append(Damage("the server sent no proof of it", item_id))
        raise VerificationError(found)
    known = None
    try:
        remembered = find_known_log(connection.url, name)
        checkpoint, known = check_checkpoint(connection, name, proof.checkpoint, remembered)
        found.entries = checkpoint.size
        leaf = leaf_hash(proof.extra)
        if root_by_inclusion(proof.index, checkpoint.size, leaf, list(proof.hashes)) != checkpoint.root:
            raise CheckpointError("The log does not have this entry.")
    except CheckpointError as error:
        found.damage.append(Damage(str(error), item_id, checkpoints=error.checkpoints))
    except ProofError as error:
        found.damage.append(Damage(str(error), item_id))
    entry = Entry.read(proof.extra)
    seal = seal_of({field: (each["sha256"], each.get("mime")) for field, each in integrity.items()})
    if entry is None or (entry.id, entry.seal, entry.created_at) != (item_id, seal, item.get("createdAt")):
        found.damage.append(Damage("its entry in the log is of other values", item_id))
    if found.damage:
        raise VerificationError(found)
    if known is not None:
        keep_known_log(connection.url, name, known)
    return found


def _digest_of(
    connection: Connection, dataset: str, item_id: int, field: Field, value: Any, found: Verification
) -> str | None:
    found.values += 1
    if field.type == "binary":
        digest, size = file_digest(connection, dataset, item_id, field.name)
        found.bytes += size
        return digest
    content = text_bytes(field, value)
    found.bytes += len(content)
    return hashlib.sha256(content).hexdigest()


def _repository_of(connection: Connection, info: Any) -> Any:
    """The repository that the items of a dataset are of."""
    while "view" in info:
        info = connection.get(path_of("dataset", info["view"]["base"].partition("@")[0]))
    return info
