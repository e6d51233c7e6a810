"""Put further human ratings and corpus-level metrics of all language pairs into the report."""

from scripts._runtime import run
from sigcore.io.tables import read_table, write_json
from sigcore.provenance import file_sha256
from sigcore.report.yardsticks import yardsticks_section


def main(snakemake):
    tables, absent = {}, list(snakemake.params.absent)
    for pair, path in zip(snakemake.params.pairs, snakemake.input.tables, strict=True):
        table, facts = read_table(path)
        tables[" ".join(pair)] = table.to_pylist()
        absent += facts["absent"]
    html = yardsticks_section(tables, absent)
    inputs = {path: file_sha256(path) for path in snakemake.input.sources}
    section = {"anchor": "yardsticks", "title": "People and corpus-level scores", "html": html}
    write_json(snakemake.output.section, section | {"inputs": inputs})


if __name__ == "__main__":
    run(main, snakemake)
