#!/usr/bin/env python3
"""Measures querying a file of rows, loading it and writing one, beside the sqlite3 program in the same run.

  files.py --program .build/release/datastore [--rows 1000000] [--runs 5]
  with-server files.py --program … --into-server

The file is a table of invented people with nine columns of numbers, texts and dates, as CSV of about 79 bytes
a row and as JSON, which sqlite3 reads by json_each; it is made once in .build. Each step runs by turns with
sqlite3's, which keeps every value as the text it is. Times are medians of the wall clock, and of processor
time, which other work on the machine disturbs less; memory is the greatest resident size of the process. What
was loaded and written is compared.
Needs the sqlite3 program and nothing but Python's standard library. Where Python has the module duckdb,
DuckDB answers the same questions by turns with both.

--into-server measures loading the file and copying the store into PostgreSQL instead, beside psql's \\copy into
a table that is declared alike, with the server that PGHOST says.
"""
import argparse, importlib.util, itertools, json, os, resource, sqlite3, statistics, subprocess, sys, tempfile, time

import browser

# Ratios to the sqlite3 program's wall clock.
GOALS = {"load into a new store": 0.6, "write a table as CSV": 0.8, "load into a server": 1.2}
# Questions about a file that nobody has loaded: what they are called, our options, and the same in SQL, for which the
# sqlite3 program reads the file into memory; it and DuckDB have words of their own where types decide.
QUESTIONS = [
    ("first 2 rows of a file", ["--columns", "id, name", "--limit", "2"],
     "SELECT id, name FROM people LIMIT 2", "SELECT id, name FROM people LIMIT 2"),
    ("condition on a file", ["--columns", "id, name", "--where", "age == 33 AND salary < 2000"],
     "SELECT id, name FROM people WHERE age + 0 = 33 AND salary + 0 < 2000",
     "SELECT id, name FROM people WHERE age = 33 AND salary < 2000"),
    ("groups of a file", ["--columns", "department_id, count", "--group-by", "department_id"],
     "SELECT nullif(department_id, '') AS d, count(*) FROM people GROUP BY d ORDER BY d + 0",
     "SELECT department_id, count(*) FROM people GROUP BY ALL ORDER BY department_id NULLS FIRST"),
    ("groups with sums",
     ["--columns", "department_id, count, sum(age), max(id)", "--group-by", "department_id"],
     "SELECT nullif(department_id, '') AS d, count(*), sum(age + 0), max(id + 0) FROM people GROUP BY d ORDER BY d + 0",
     "SELECT department_id, count(*), sum(age), max(id) FROM people GROUP BY ALL "
     "ORDER BY department_id NULLS FIRST"),
    ("order of a file", ["--columns", "id", "--order-by", "salary desc, id", "--limit", "10"],
     "SELECT id FROM people ORDER BY salary + 0 DESC, id + 0 LIMIT 10",
     "SELECT id FROM people ORDER BY salary DESC, id LIMIT 10"),
]
# The second and third of them about the file as JSON, where the sqlite3 program has “each” object of it.
JSON_QUESTIONS = [
    (step, options, sql, words) for (_, options, _, words), (step, sql) in zip(QUESTIONS[1:3], [
        ("condition on JSON",
         "SELECT each->>'id', each->>'name' FROM people WHERE each->>'age' = 33 AND each->>'salary' < 2000"),
        ("groups of JSON",
         "SELECT each->>'department_id' AS d, count(*) FROM people GROUP BY d ORDER BY d"),
    ])
]
# All of a file: our option, the sqlite3 program's, and what DuckDB's COPY says.
FORMATS = [("csv", ["-header", "-csv"], "FORMAT csv"), ("json", ["-json"], "FORMAT json, ARRAY true")]
# Runs in a process of its own, as the others do; that of Python without the question is measured, too.
DUCKDB = """
import sys, duckdb
if len(sys.argv) > 1:
    read = duckdb.read_json if sys.argv[1].endswith(".json") else duckdb.read_csv
    people = read(sys.argv[1])
    if sys.argv[2].startswith("COPY"):
        duckdb.sql(sys.argv[2])
    else:
        for row in duckdb.sql(sys.argv[2]).fetchall():
            print(",".join("" if value is None else str(value) for value in row))
"""


def run(command, output=None):
    """Seconds of the wall clock and of the processor, and MB of memory at most."""
    before = time.monotonic()
    process = subprocess.Popen(command, stdout=output or subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command[0]} ended with status {status}")
    process.returncode = 0
    return (
        time.monotonic() - before, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def medians(results):
    return [statistics.median(values) for values in zip(*results)]


def show(step, ours, theirs):
    ours, theirs = medians(ours), medians(theirs)
    ratio, goal = ours[0] / theirs[0], GOALS.get(step)
    print(
        f"{step:28} {ours[0]:7.2f} s {theirs[0]:7.2f} s {ratio:6.2f} "
        f"{goal if goal else '':>5} {ours[1]:7.2f} s {theirs[1]:7.2f} s "
        f"{ours[2]:5.0f} MB {theirs[2]:5.0f} MB", flush=True)


def load(program, file, folder, runs):
    ours, theirs = [], []
    for _ in range(runs):
        store, other = os.path.join(folder, "ours.sqlite"), os.path.join(folder, "theirs.sqlite")
        for path in (store, other):
            if os.path.exists(path):
                os.remove(path)
        ours.append(run([program, "load", file, "--into", store, "--entity", "people", "--quiet"]))
        theirs.append(
            run(["sqlite3", other, "-cmd", ".mode csv", f".import '{file}' people"]))
    sums = ("SELECT count(*), sum(id), sum(age), round(sum(salary), 2), sum(length(email)), "
            "max(hired), count(nullif(department_id, '')) FROM people")
    found = [sqlite3.connect(path).execute(sums).fetchone() for path in (store, other)]
    if found[0] != found[1]:
        sys.exit(f"The tables differ: {found}")
    types = sqlite3.connect(store).execute(
        "SELECT DISTINCT typeof(id), typeof(salary), typeof(hired) FROM people").fetchall()
    if types != [("integer", "real", "text")]:
        sys.exit(f"The types are {types}.")
    show("load into a new store", ours, theirs)


def write(program, people, folder, runs):
    ours, theirs = [], []
    paths = [os.path.join(folder, name) for name in ("ours.csv", "theirs.csv")]
    for _ in range(runs):
        with open(paths[0], "wb") as output:
            ours.append(run([program, "query", people, "employee", "--format", "csv"], output))
        with open(paths[1], "wb") as output:
            theirs.append(
                run(["sqlite3", "-header", "-csv", people, "SELECT * FROM employee"], output))
    # The sqlite3 program ends lines with CRLF, unless it is an old one.
    ours_text, theirs_text = (open(path, "rb").read().replace(b"\r\n", b"\n") for path in paths)
    if ours_text != theirs_text:
        sys.exit("The files differ.")
    show("write a table as CSV", ours, theirs)


def ask(program, file, folder, runs, questions=QUESTIONS):
    paths = [os.path.join(folder, name) for name in ("ours.csv", "theirs.csv", "duckdb.csv")]
    duckdb = [sys.executable, "-c", DUCKDB]
    has_duckdb = importlib.util.find_spec("duckdb") is not None
    if has_duckdb:
        print(f"Python with DuckDB, without a question: {medians([run(duckdb) for _ in range(runs)])[0]:.2f} s")
    is_json = file.endswith(".json")
    reading = ["-cmd", ".mode csv"] + ([] if is_json else ["-cmd", f".import '{file}' people"])
    for step, options, sql, words in questions:
        if is_json:
            # A view would not be trusted to read a file.
            sql = sql.replace("people", f"(SELECT value AS each FROM json_each(readfile('{file}')))")
        ours, theirs, others = [], [], []
        for _ in range(runs):
            with open(paths[0], "wb") as output:
                ours.append(run([program, "query", file, "--no-header"] + options, output))
            with open(paths[1], "wb") as output:
                theirs.append(run(["sqlite3", ":memory:"] + reading + [sql], output))
            if has_duckdb:
                with open(paths[2], "wb") as output:
                    others.append(run(duckdb + [file, words], output))
        texts = [open(path, "rb").read().replace(b"\r\n", b"\n") for path in paths[:2 + has_duckdb]]
        if len(set(texts)) > 1:
            sys.exit(f"The answers differ: {step}")
        show(step, ours, theirs)
        if has_duckdb:
            show_duckdb(ours, others)


def whole(program, file, folder, runs):
    """All of a file as CSV, which is the file again, and as JSON, of which the rows are counted."""
    paths = [os.path.join(folder, name) for name in ("ours", "theirs", "duckdb")]
    has_duckdb = importlib.util.find_spec("duckdb") is not None
    for form, options, words in FORMATS:
        ours, theirs, others = [], [], []
        for _ in range(runs):
            with open(paths[0], "wb") as output:
                ours.append(run([program, "query", file, "--format", form], output))
            with open(paths[1], "wb") as output:
                theirs.append(run(
                    ["sqlite3", *options, "-cmd", f".import --csv '{file}' people", ":memory:",
                     "SELECT * FROM people"], output))
            if has_duckdb:
                copy = f"COPY (FROM people) TO '{paths[2]}' ({words})"
                others.append(run([sys.executable, "-c", DUCKDB, file, copy]))
        # Nothing large is kept here: child processes count the memory of this process as their own.
        if form == "csv":
            with open(paths[0], "rb") as written, open(file, "rb") as read:
                if any(left != right.replace(b"\r\n", b"\n")
                       for left, right in itertools.zip_longest(written, read, fillvalue=b"")):
                    sys.exit("The file written is not the file read.")
        elif len({count_rows(path) for path in [paths[0]] + paths[2:] * has_duckdb}) > 1:
            sys.exit("The numbers of rows differ.")
        show(f"all of a file as {form.upper()}", ours, theirs)
        if has_duckdb:
            show_duckdb(ours, others)


def count_rows(path):
    count = "import json, sys; print(len(json.load(open(sys.argv[1]))))"
    return subprocess.run([sys.executable, "-c", count, path], check=True, capture_output=True).stdout


COLUMNS = ("id bigint PRIMARY KEY, name text, surname text, age bigint, salary float8, position text, "
           "department_id bigint, hired date, email text")


def into_server(program, file, people, runs):
    """Both ways into PostgreSQL. Compares the resulting tables."""
    address = f"postgresql://{os.environ['PGUSER']}@/{os.environ['PGDATABASE']}?host={os.environ['PGHOST']}"

    def psql(*statements):
        command = ["psql", "-qAtX", "-v", "ON_ERROR_STOP=1"]
        for statement in statements:
            command += ["-c", statement]
        return command

    def answer(table):
        sums = (f"SELECT count(*), sum(id), sum(age), round(sum(salary)::numeric, 2), max(hired::text), "
                f"sum(length(email)) FROM {table}")
        return subprocess.run(psql(sums), check=True, capture_output=True).stdout

    for step, table, command, sql in [
        ("load into a server", "people",
         [program, "load", file, "--into", address, "--entity", "people", "--quiet"],
         f"\\copy people FROM '{file}' (FORMAT csv, HEADER)"),
        ("copy into a server", "employee", [program, "copy", people, "--into", address],
         f"\\copy employee FROM PROGRAM 'sqlite3 -csv {people} \"SELECT * FROM employee\"' (FORMAT csv)"),
    ]:
        ours, theirs, found = [], [], []
        for _ in range(runs):
            clear = psql("DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
            subprocess.run(clear, check=True, capture_output=True)
            ours.append(run(command))
            found.append(answer(table))
            subprocess.run(clear, check=True, capture_output=True)
            theirs.append(run(psql(f"CREATE TABLE {table} ({COLUMNS})", sql)))
            found.append(answer(table))
        if len(set(found)) > 1:
            sys.exit(f"The tables differ: {set(found)}")
        show(step, ours, theirs)


def show_duckdb(ours, others):
    duck = medians(others)
    print(f"{'':28} DuckDB {duck[0]:.2f} s, ratio {medians(ours)[0] / duck[0]:.2f}, "
          f"processor {duck[1]:.2f} s, {duck[2]:.0f} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--into-server", action="store_true")
    options = parser.parse_args()
    made = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".build", "people")
    os.makedirs(made, exist_ok=True)
    people = os.path.join(made, f"people-{options.rows}.sqlite")
    if not os.path.exists(people):
        print(f"Making {people} …", file=sys.stderr)
        browser.make_people(people, options.rows)
    file = os.path.join(made, f"people-{options.rows}.csv")
    if not os.path.exists(file):
        with open(file, "wb") as output:
            run(["sqlite3", "-header", "-csv", people, "SELECT * FROM employee"], output)
    objects = os.path.join(made, f"people-{options.rows}.json")
    if not os.path.exists(objects):
        rows = sqlite3.connect(people).execute("SELECT * FROM employee")
        names = [column[0] for column in rows.description]
        with open(objects, "w") as output:
            # One by one: child processes count the memory of this process as their own.
            for number, row in enumerate(rows):
                output.write(("," if number else "[") + json.dumps(dict(zip(names, row))) + "\n")
            output.write("]\n")
    print(f"{options.rows:,} rows, {os.path.getsize(file) / 1e6:.0f} MB of CSV, {options.runs} runs")
    print(f"{'step':28} {'here':>9} {'sqlite3':>9} {'ratio':>6} {'goal':>5} {'processor':>9} "
          f"{'sqlite3':>9} {'memory':>8} {'sqlite3':>8}")
    if options.into_server:
        return into_server(options.program, os.path.abspath(file), os.path.abspath(people), options.runs)
    with tempfile.TemporaryDirectory(dir=made) as folder:
        ask(options.program, file, folder, options.runs)
        ask(options.program, objects, folder, options.runs, JSON_QUESTIONS)
        whole(options.program, file, folder, options.runs)
        load(options.program, file, folder, options.runs)
        write(options.program, people, folder, options.runs)


main()
