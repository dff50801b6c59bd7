"""Writes arrays/testdata/arrow: tables as pyarrow writes them, and arrow.json, what their columns are as arrays.

Run from the root of the repository with a Python that has NumPy 2.3 and pyarrow:

    python tests/golden/make_arrow.py

What is expected comes from the lists here, not from reading the files again.
"""

import datetime as dt

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as parquet
from make_arrays import OUT, value, write

nan, nat = np.nan, "NaT"
SECONDS = [0, -1, 1_600_000_000]

# name: the Arrow array, the array it is to be
COLUMNS = {
    "bool": (pa.array([True, False, True]), np.array([True, False, True])),
    **{d: (pa.array(v, getattr(pa, d)()), np.array(v, d)) for d, v in {
        "int8": [-128, 0, 127], "int16": [-32768, 1, 2], "int32": [-(2**31), 1, 2], "int64": [-(2**63), 2**53 + 1, 2], "uint8": [0, 255, 1], "uint16": [0, 65535, 1],
        "uint32": [0, 2**32 - 1, 1], "uint64": [0, 2**64 - 1, 1], "float32": [0.1, nan, -0.0], "float64": [0.1, nan, np.inf]}.items()},
    "float16": (pa.array(np.array([0.1, 65504, -0.0], "f2")), np.array([0.1, 65504, -0.0], "f2")),
    "missing int": (pa.array([1, None, 3]), np.array([1, nan, 3])),
    "missing float": (pa.array([1.5, None, 3], pa.float32()), np.array([1.5, nan, 3], "f4")),
    "text": (pa.array(["né", "", "three"]), np.array(["né", "", "three"])),
    "missing text": (pa.array(["a", None, "日本"], pa.large_string()), np.array(["a", "", "日本"])),
    "viewed text": (pa.array(["short", "longer than twelve bytes", None], pa.string_view()), np.array(["short", "longer than twelve bytes", ""])),
    "day": (pa.array([dt.date(2020, 2, 29), None, dt.date(1969, 12, 31)]), np.array(["2020-02-29", nat, "1969-12-31"], "M8[D]")),
    "date64": (pa.array([dt.date(2020, 2, 29), None, dt.date(1969, 12, 31)], pa.date64()), np.array(["2020-02-29", nat, "1969-12-31"], "M8[ms]")),
    **{f"timestamp {u}": (pa.array(SECONDS, pa.timestamp(u)), np.array(SECONDS, f"M8[{u}]")) for u in ("s", "ms", "us", "ns")},
    "zoned": (pa.array(SECONDS, pa.timestamp("s", "Asia/Tokyo")), np.array(SECONDS, "M8[s]")),
    "duration": (pa.array([5, None, -7], pa.duration("us")), np.array([5, nat, -7], "m8[us]")),
    "dictionary": (pa.array(["x", "yy", "x"]).dictionary_encode(), np.array(["x", "yy", "x"])),
    "missing dictionary": (pa.array(["x", None, "z"]).dictionary_encode(), np.array(["x", "", "z"])),
    "number dictionary": (pa.DictionaryArray.from_arrays(pa.array([1, 0, 1], pa.int8()), pa.array([2.5, 3.5])), np.array([3.5, 2.5, 3.5])),
    "rows": (pa.array([[1, 2], [3, 4], [5, 6]], pa.list_(pa.int16(), 2)), np.array([[1, 2], [3, 4], [5, 6]], "i2")),
    "cubes": (pa.array([[[1.0], [2]], [[3], [4]], [[5], [6]]], pa.list_(pa.list_(pa.float64(), 1), 2)), np.array([[[1.0], [2]], [[3], [4]], [[5], [6]]])),
}
REFUSED = {
    "missing bool": pa.array([True, None, False]), "binary": pa.array([b"a", b"b", b"c"]), "ragged": pa.array([[1], [2, 3], []]), "decimal": pa.array([1, 2, 3], pa.decimal128(5)),
    "time": pa.array([1, 2, 3], pa.time32("s")), "struct": pa.array([{"a": 1}] * 3), "nothing": pa.nulls(3), "missing rows": pa.array([[1, 2], None, [5, 6]], pa.list_(pa.int16(), 2)),
}


def main():
    out = OUT / "arrow"
    out.mkdir(exist_ok=True)
    table = pa.table({k: a for k, (a, _) in COLUMNS.items()})
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=2)).unify_dictionaries()  # two batches, of 2 rows and of 1

    def save(name, table, **options):
        stream = name.endswith(".arrows")
        with (pa.ipc.new_stream if stream else pa.ipc.new_file)(str(out / name), table.schema, options=pa.ipc.IpcWriteOptions(**options)) as w:
            w.write_table(table, max_chunksize=2 if table is batches else 100)

    save("types.arrow", table)
    save("batches.arrow", batches)
    save("lz4.arrow", batches, compression="lz4")
    save("zstd.arrows", table, compression="zstd")
    save("batches.arrows", batches)
    save("empty.arrow", table.slice(0, 0))
    save("refused.arrow", pa.table(REFUSED | {"fine": pa.array([1, 2, 3])}))
    feather.write_feather(pa.table({"x": [1.5, 2.5]}), str(out / "two.feather"))
    feather.write_feather(pa.table({"x": [1.5, 2.5]}), str(out / "one.feather"), version=1)
    parquet.write_table(pa.table({"x": [1.5, 2.5]}), str(out / "x.parquet"))
    write("arrow.json", columns={k: value(v) for k, (_, v) in COLUMNS.items()}, refused=list(REFUSED))


if __name__ == "__main__":
    main()
