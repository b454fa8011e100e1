#!/usr/bin/env python3
"""Measures the browser on a distant table: every byte is delayed.

  with-server far.py --program .build/release/datastore [--rows 10000000] [--delay 10] [--runs 5]
  far.py --file --program .build/release/datastore [--rows 1000000] [--delay 50] [--rate 10] [--runs 5]

The first is a table of a PostgreSQL server, the second a SQLite file at the other end of a pipe (browse --via), which hands on so
many megabits in a second. A third form is that pipe: far.py --pipe DELAY RATE FILE -- PROGRAM …, which writes to the file when the
program began: on a real line, the login comes before.

The server is the one that PGHOST names, with a socket in that directory; the table is made in it. Between it and the program is a
proxy that holds each piece back for half of the delay, so that a round trip takes the whole of it. Times are those from a key to the
byte that completed the picture, as in browser.py, whose terminal this is. Needs nothing but Python's standard library and psql.
"""
import argparse, glob, multiprocessing, os, queue, re, shlex, socket, sqlite3, statistics, subprocess, sys, tempfile
import threading, time

import browser

GOALS = [
    ("launch to first rows", None), ("after the login to first rows", None), ("first rows of the table", 100),
    ("page down, not read ahead", 30), ("how many of 200 were not", None),
    ("page down, read ahead", 3), ("the same, 95th percentile", None), ("jump to a row in the middle", None),
    ("jump to end", None), ("sort by a column, first rows", None), ("the same, in a file here", None),
]


# The same on a file at the other end of a pipe of 50 ms and 10 Mbit/s.
FILE_GOALS = {"after the login to first rows": 250, "page down, not read ahead": 60, "page down, read ahead": 3}


def psql(statement):
    program = sorted(glob.glob("/usr/lib/postgresql/*/bin/psql"))[-1]
    done = subprocess.run(
        [program, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", statement],
        stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def make_table(rows):
    psql(f"""
        CREATE TABLE employee (
          id bigint PRIMARY KEY, name text NOT NULL, surname text NOT NULL, age smallint NOT NULL,
          salary double precision NOT NULL, hired date NOT NULL, email text NOT NULL);
        INSERT INTO employee SELECT n, 'Name' || n % 1000, 'Surname' || n * 7919 % 20000, 18 + n % 47,
          n * 31 % 100000, date '1990-01-01' + (n % 12000)::int, 'person' || n || '@example.org'
          FROM generate_series(1, {rows}::bigint) AS n;
        CREATE TABLE apart (id bigint PRIMARY KEY, email text NOT NULL);
        INSERT INTO apart VALUES (1, 'nobody@example.org')""")
    psql("VACUUM (ANALYZE, FREEZE)")


def pump(source, target, delay):
    """Passes pieces on, each so many seconds after it came."""
    pieces = queue.SimpleQueue()

    def write():
        while True:
            due, data = pieces.get()
            time.sleep(max(0, due - time.perf_counter()))
            try:
                if data:
                    target.sendall(data)
                else:
                    target.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            if not data:
                return

    threading.Thread(target=write, daemon=True).start()
    while True:
        try:
            data = source.recv(1 << 18)
        except OSError:
            data = b""
        pieces.put((time.perf_counter() + delay, data))
        if not data:
            return


def proxy(path, server, delay, ready):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(16)
    ready.set()
    while True:
        client, _ = listener.accept()
        other = socket.socket(socket.AF_UNIX)
        other.connect(server)
        for pair in ((client, other), (other, client)):
            threading.Thread(target=pump, args=(*pair, delay), daemon=True).start()


def make_file(path, rows):
    """The same table, in a SQLite file."""
    file = sqlite3.connect(path)
    file.executescript(f"""
        CREATE TABLE employee (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, surname TEXT NOT NULL, age INTEGER NOT NULL,
          salary REAL NOT NULL, hired TEXT NOT NULL, email TEXT NOT NULL);
        WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers LIMIT {rows})
        INSERT INTO employee SELECT n, 'Name' || n % 1000, 'Surname' || n * 7919 % 20000, 18 + n % 47,
          n * 31 % 100000, date('1990-01-01', (n % 12000) || ' days'), 'person' || n || '@example.org' FROM numbers;
        CREATE TABLE apart (id INTEGER PRIMARY KEY, email TEXT NOT NULL);
        INSERT INTO apart VALUES (1, 'nobody@example.org')""")
    file.commit()
    file.close()


def hand_on(source, target, delay, rate):
    """Passes bytes from a file to another one, each so many seconds after it came, and not faster than the rate."""
    pieces = queue.SimpleQueue()

    def write():
        while True:
            due, data = pieces.get()
            time.sleep(max(0, due - time.perf_counter()))
            if not data:
                os.close(target)
                return
            try:
                while data:
                    data = data[os.write(target, data):]
            except OSError:
                return

    threading.Thread(target=write, daemon=True).start()
    free = 0
    while True:
        data = os.read(source, 1 << 14)
        free = max(free, time.perf_counter()) + len(data) / rate
        pieces.put((free + delay, data))
        if not data:
            return


def pipe(delay, rate, logged_in, words):
    """Runs a program whose standard streams are far away, and writes to a file when it began."""
    with open(logged_in, "w") as file:
        file.write(str(time.perf_counter()))
    child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    threading.Thread(
        target=hand_on, daemon=True, args=(0, os.dup(child.stdin.fileno()), delay, rate)).start()
    child.stdin.close()
    hand_on(child.stdout.fileno(), 1, delay, rate)
    sys.exit(child.wait())


def shows(number):
    return lambda text: re.search(rf"\bperson{number}@", text)


def open_table(command):
    """Milliseconds until the rows of a table are there, while the program shows another one."""
    with tempfile.TemporaryDirectory() as directory:
        session = browser.Session(command + ["--entity", "apart"], directory)
        try:
            session.wait(lambda text: "nobody@" in text, session.begin)
            session.settle(0.5)
            session.press("\x1b[Z")
            session.settle(0.3)
            session.press("k")
            session.settle(0.3)
            start = session.press("\r")
            return session.wait(shows(1), start)
        finally:
            session.close()


def sort(command):
    """Milliseconds until the rows with the smallest salary are there: the first is the 100,000th."""
    with tempfile.TemporaryDirectory() as directory:
        session = browser.Session(command + ["--entity", "employee"], directory)
        try:
            session.wait(shows(1), session.begin)
            session.settle(3)
            session.press("0" + "l" * 3)
            session.settle(0.5)
            start = session.press("s")
            return session.wait(shows(100_000), start)
        finally:
            session.close()


def run(command, rows, delay, logged_in):
    with tempfile.TemporaryDirectory() as directory:
        session = browser.Session(command + ["--entity", "employee"], directory)
        try:
            result = {"launch to first rows": session.wait(shows(1), session.begin)}
            if logged_in:
                # The clock is that of the machine, so that two processes read the same one.
                with open(logged_in) as file:
                    begun = (float(file.read()) - session.begin) * 1000
                result["after the login to first rows"] = result["launch to first rows"] - begun
            # The rows are counted behind, which is shown when it is over.
            session.settle(3)
            times, _ = browser.pages(session, "\x1b[6~", 30)
            result["page down, read ahead"] = statistics.median(times)
            result["the same, 95th percentile"] = sorted(times)[int(len(times) * 0.95)]
            jumps, unread = [], []
            for number in range(1, 6):
                target = rows // 9 * number + 5
                session.press("#")
                session.settle(0.3)
                session.press(str(target))
                session.settle(0.3)
                start = session.press("\r")
                jumps.append(session.wait(shows(target), start))
                # Each as soon as the one before is there: sooner or later nothing is read ahead any more.
                for _ in range(40):
                    last = max(int(n) for n in re.findall(r"\bperson(\d+)@", session.screen.text()))
                    start = session.press("\x1b[6~")
                    taken = session.wait(
                        lambda text: any(int(n) > last for n in re.findall(r"\bperson(\d+)@", text)),
                        start)
                    if taken >= delay:
                        unread.append(taken)
                session.settle(0.5)
            result["jump to a row in the middle"] = statistics.median(jumps)
            if unread:
                result["page down, not read ahead"] = statistics.median(unread)
                result["how many of 200 were not"] = len(unread)
            start = session.press("G")
            result["jump to end"] = session.wait(shows(rows), start)
            session.settle(0.5)
            result["first rows of the table"] = open_table(command)
            result["sort by a column, first rows"] = sort(command)
            return result
        finally:
            session.close()


def measure(command, options, logged_in=None):
    """Runs it once for the caches, then as often as is asked for."""
    runs = [run(command, options.rows, options.delay, logged_in) for _ in range(options.runs + 1)]
    return runs[1:]


def over_a_pipe(options):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "far.sqlite")
        make_file(path, options.rows)
        logged_in = os.path.join(directory, "logged-in")
        via = shlex.join([
            sys.executable, os.path.abspath(__file__), "--pipe", str(options.delay), str(options.rate), logged_in, "--"])
        program = os.path.abspath(options.program)
        results = measure([program, "browse", path, "--via", via, "--far-program", program], options, logged_in)
        for result in results:
            result["the same, in a file here"] = sort([program, "browse", path])
        return results


def over_a_server(options):
    make_table(options.rows)
    with tempfile.TemporaryDirectory() as directory:
        ready = multiprocessing.Event()
        # A process of its own, which does not wait for the one that looks at the terminal.
        distance = multiprocessing.Process(
            target=proxy, daemon=True,
            args=(os.path.join(directory, ".s.PGSQL.5432"), os.path.join(os.environ["PGHOST"], ".s.PGSQL.5432"),
                  options.delay / 2000, ready))
        distance.start()
        ready.wait()
        address = f"postgresql:///{os.environ['PGDATABASE']}?host={directory}&user={os.environ['PGUSER']}"
        results = measure([options.program, "browse", address], options)
        distance.terminate()
        return results


def main():
    if sys.argv[1:2] == ["--pipe"]:
        pipe(float(sys.argv[2]) / 2000, float(sys.argv[3]) * 1e6 / 8, sys.argv[4], sys.argv[6:])
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--file", action="store_true", help="a SQLite file at the other end of a pipe")
    parser.add_argument("--rows", type=int)
    parser.add_argument("--delay", type=float, help="milliseconds of a round trip")
    parser.add_argument("--rate", type=float, default=10, help="megabits in a second, with --file")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    options.rows = options.rows or (1_000_000 if options.file else 10_000_000)
    options.delay = options.delay or (50 if options.file else 10)
    print(f"Making a table of {options.rows} rows …", file=sys.stderr)
    results = over_a_pipe(options) if options.file else over_a_server(options)
    print(f"{'step':36} {'here':>10} {'goal':>9}")
    for name, goal in GOALS:
        if options.file:
            goal = FILE_GOALS.get(name)
        found = [result[name] for result in results if name in result]
        if not found:
            continue
        here = statistics.median(found)
        aim = f"{goal:g} ms" if goal is not None else "–"
        miss = "" if goal is None or here <= goal else "   missed"
        unit = "  " if name.startswith("how many") else "ms"
        print(f"{name:36} {here:7.1f} {unit} {aim:>9}{miss}")


if __name__ == "__main__":
    main()
