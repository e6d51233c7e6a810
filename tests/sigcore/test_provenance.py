import hashlib

from sigcore.provenance import file_sha256, software_versions


def test_the_digest_is_that_of_the_bytes(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"scores\n")
    assert file_sha256(path) == hashlib.sha256(b"scores\n").hexdigest()


def test_versions_name_what_numbers_depend_on():
    assert {"sigcore", "python", "numpy", "scipy"} <= set(software_versions())
