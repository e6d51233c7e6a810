"""Put further human ratings and corpus-level metrics of all language pairs into the report."""

from scripts._runtime import run
from sigcore.io.tables import read_tables, write_json
from sigcore.provenance import file_sha256
from sigcore.report.yardsticks import yardsticks_section


def main(snakemake):
    tables = [read_tables([path]).to_pylist() for path in snakemake.input.tables]
    titles = [" ".join(pair) for pair in snakemake.params.pairs]
    html = yardsticks_section(dict(zip(titles, tables, strict=True)), snakemake.params.absent)
    inputs = {path: file_sha256(path) for path in snakemake.input.sources}
    section = {"anchor": "yardsticks", "title": "People and corpus-level scores", "html": html}
    write_json(snakemake.output.section, section | {"inputs": inputs})


if __name__ == "__main__":
    run(main, snakemake)
