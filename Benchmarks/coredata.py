#!/usr/bin/env python3
"""Measures Core Data stores beside plain SQLite: `Benchmarks/coredata.py PROGRAM [ROWS]`.

Makes a store of 80 entities with its model, and the same tables in a file that is no Core Data store. Runs pairs, one
of each in turn, and prints the median of the ratios:

  open       first rows of a table, from the start of the program (goal 1.5)
  hierarchy  all rows of a table that five entities share (goal 1.15)
  convert    datastore copy --into, beside INSERT ... SELECT into tables like those of the new store (goal 2.0)
"""

import os
import plistlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
import zlib

UID = plistlib.UID


class Archive:
    """An archive as NSKeyedArchiver writes it."""

    def __init__(self):
        self.objects, self.classes = ["$null"], {}

    def put(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def kind(self, name):
        if name not in self.classes:
            self.classes[name] = self.put({"$classname": name, "$classes": [name, "NSObject"]})
        return self.classes[name]

    def make(self, name, place=None, **members):
        members["$class"] = self.kind(name)
        if place is None:
            return self.put(members)
        self.objects[place.data] = members
        return place

    def entries(self, pairs):
        return self.put({"NS.keys": [self.put(k) for k, _ in pairs], "NS.objects": [v for _, v in pairs],
                         "$class": self.kind("NSDictionary")})

    def bytes(self, root):
        whole = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root}, "$objects": self.objects}
        return plistlib.dumps(whole, fmt=plistlib.FMT_BINARY)


KINDS = [("text", 700, "VARCHAR"), ("number", 300, "INTEGER"), ("made", 900, "TIMESTAMP"), ("size", 500, "FLOAT"),
         ("flag", 800, "INTEGER"), ("bytes", 1000, "BLOB")]


def model(entities):
    """entities: (name, parent, attributes, references)"""
    archive = Archive()
    places = {name: archive.put(None) for name, *_ in entities}
    known = {}
    for name, parent, attributes, references in entities:
        properties = list(known.get(parent, []))
        for attribute, number, _ in attributes:
            properties.append((attribute, archive.make(
                "NSAttributeDescription", NSPropertyName=archive.put(attribute), NSAttributeType=number,
                NSIsOptional=True)))
        for reference, destination in references:
            properties.append((reference, archive.make(
                "NSRelationshipDescription", NSPropertyName=archive.put(reference), NSIsOptional=True,
                _NSDestinationEntityName=archive.put(destination), NSMinCount=0, NSMaxCount=1, NSDeleteRule=1)))
        known[name] = properties
        archive.make("NSEntityDescription", places[name], NSEntityName=archive.put(name),
                     NSSuperentity=places[parent] if parent else UID(0), NSIsAbstract=False,
                     NSProperties=archive.entries(properties))
    root = archive.make("NSManagedObjectModel", NSEntities=archive.entries(sorted(places.items())))
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    return deflate.compress(archive.bytes(root)) + deflate.flush()


def make(folder, rows):
    entities = []
    for number in range(75):
        own = [(f"{name}{copy}", kind, declared) for copy in range(4) for name, kind, declared in KINDS]
        entities.append((f"Thing{number:02}", None, own, [("next", f"Thing{(number + 1) % 75:02}")]))
    entities.append(("Person", None, [(n, k, d) for n, k, d in KINDS], [("thing", "Thing00")]))
    for number in range(4):
        entities.append((f"Person{number}", "Person", [(f"own{number}", 700, "VARCHAR")], []))
    # Depth first, by name.
    order = sorted(n for n, parent, *_ in entities if parent is None)
    numbers = {}
    for name in order:
        for each in [name] + sorted(n for n, parent, *_ in entities if parent == name):
            numbers[each] = len(numbers) + 1
    columns = {}
    for name, parent, attributes, references in entities:
        columns.setdefault(parent or name, []).extend(
            [(f"Z{a.upper()}", d) for a, _, d in attributes] + [(f"Z{r.upper()}", "INTEGER") for r, _ in references])
    tables = []
    for root, list_ in columns.items():
        declared = ", ".join(f"{n} {d}" for n, d in list_)
        tables.append(f"CREATE TABLE Z{root.upper()} (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, {declared})")
        tables += [f"CREATE INDEX Z{root.upper()}_{n}_INDEX ON Z{root.upper()} ({n})" for n, _ in list_
                   if n in ("ZNEXT", "ZTHING")]
    paths = [os.path.join(folder, name) for name in ("core.storedata", "plain.sqlite")]
    for path in paths:
        file = sqlite3.connect(path)
        file.execute("PRAGMA journal_mode = WAL")
        for statement in tables:
            file.execute(statement)
        file.execute(f"""
            WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {rows})
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZNUMBER, ZMADE, ZSIZE, ZFLAG, ZTHING)
            SELECT i, {numbers['Person']} + i % 5, 1, 'name ' || i, i * 7, i + 0.5, i / 3.0, i % 2, 1 + i % 100 FROM n""")
        file.execute(f"""
            WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
            INSERT INTO ZTHING00 (Z_PK, Z_ENT, Z_OPT, ZTEXT0) SELECT i, {numbers['Thing00']}, 1, 'thing ' || i FROM n""")
        if path == paths[0]:
            file.executescript("""
                CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
                CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
                CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)""")
            for name, parent, *_ in entities:
                top = rows if name == "Person" else 100
                file.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)",
                             (numbers[name], name, numbers.get(parent, 0), top))
            file.execute("INSERT INTO Z_MODELCACHE VALUES (?)", (model(entities),))
        file.commit()
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        file.close()
    return paths


def seconds(words, out=subprocess.DEVNULL):
    """The processor time of the program and of its children: others work on this machine."""
    before = os.times()
    subprocess.run(words, stdout=out, check=True)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def pairs(name, first, second, count, goal):
    ratios, sums = [], [[], []]
    for _ in range(count):
        times = [first(), second()]
        ratios.append(times[0] / times[1])
        for place in (0, 1):
            sums[place].append(times[place])
    middle = [statistics.median(each) * 1000 for each in sums]
    print(f"{name:10} {statistics.median(ratios):5.2f}  (goal {goal})  {middle[0]:8.0f} ms beside {middle[1]:8.0f} ms, "
          f"{count} pairs", flush=True)


def main():
    program, rows = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        core, plain = make(folder, rows)
        first = ["--limit", "50", "--format", "csv"]
        pairs("open", lambda: seconds([program, "query", core, "Person"] + first),
              lambda: seconds([program, "query", plain, "ZPERSON"] + first), 21, 1.5)
        names = "text, number, made, size, flag"
        stored = "ZTEXT, ZNUMBER, ZMADE, ZSIZE, ZFLAG"
        pairs("hierarchy",
              lambda: seconds([program, "query", core, "Person", "--columns", names, "--stored-dates", "--format", "csv"]),
              lambda: seconds([program, "query", plain, "ZPERSON", "--columns", stored, "--stored-dates", "--format", "csv"]),
              7, 1.15)
        new = os.path.join(folder, "new.sqlite")

        def convert():
            if os.path.exists(new):
                os.remove(new)
            return seconds([program, "copy", core, "--into", new, "--quiet"])

        convert()
        schema = [row[0] for row in sqlite3.connect(new).execute(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND tbl_name IN ('Person', 'Thing00')")]
        hand = os.path.join(folder, "hand.sqlite")

        def by_hand():
            if os.path.exists(hand):
                os.remove(hand)
            script = ["PRAGMA journal_mode = WAL;", *[statement + ";" for statement in schema],
                      f"ATTACH '{core}' AS c; BEGIN;"]
            kinds = "CASE Z_ENT " + " ".join(
                f"WHEN {number} THEN '{name}'" for number, name in people(core)) + " END"
            have = {row[1] for row in sqlite3.connect(new).execute("PRAGMA table_info(Person)")}
            kind = next(iter(have - {"_id", "text", "number", "made", "size", "flag", "bytes", "thing", "own0", "own1",
                                     "own2", "own3"}))
            script.append("INSERT INTO Thing00 (_id, text0) SELECT Z_PK, ZTEXT0 FROM c.ZTHING00;")
            script.append(
                f'INSERT INTO Person (_id, "{kind}", text, number, made, size, flag, thing) '
                f"SELECT Z_PK, {kinds}, ZTEXT, ZNUMBER, ZMADE, ZSIZE, ZFLAG, ZTHING FROM c.ZPERSON ORDER BY Z_PK; COMMIT;")
            before = os.times()
            subprocess.run(["sqlite3", hand], input="\n".join(script), text=True, check=True, stdout=subprocess.DEVNULL)
            after = os.times()
            return after.children_user - before.children_user + after.children_system - before.children_system

        pairs("convert", convert, by_hand, 5, 2.0)


def people(core):
    return sqlite3.connect(core).execute(
        "SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_NAME LIKE 'Person%' ORDER BY 1").fetchall()


main()
