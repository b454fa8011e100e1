#!/usr/bin/env python3
"""Measures the browser on a terminal: from a key press to the complete picture.

  browser.py --program .build/release/datastore [--rows 1000000] [--runs 5] [--file people.sqlite]
             [--peers VisiData,lnav | --peers none]

It runs the program on a pseudo terminal of 160 by 48 cells and keeps the picture as a terminal would. A
time is that of the byte that completed the picture, counted from the key, in milliseconds of the wall
clock; medians over the runs. Without --file, a table of invented people is made once in .build.
Other terminal browsers that are on PATH are measured in the same run (peers.py). Needs nothing but
Python's standard library.
"""
import argparse, csv, fcntl, os, pty, random, re, signal, sqlite3, statistics, struct, subprocess, sys
import tempfile, termios, threading, time, unicodedata

import peers

COLUMNS, ROWS = 160, 48

# The goals on one million rows; peers are VisiData, harlequin, sqlit and lnav.
GOALS = [
    ("launch to first rows", "ms", 60), ("page down, median", "ms", 1.5),
    ("page down, 95th percentile", "ms", 3), ("line down, median", "ms", None),
    ("jump to end", "ms", 30), ("filter, first rows", "ms", 90), ("sort, first rows", "ms", 120),
    ("group with counts", "ms", 300), ("peak memory", "MB", 64), ("bytes per page down", "kB", 4),
    ("line down during an import, median", "ms", None),
    ("the same, 95th percentile", "ms", 16),
]


class Screen:
    """The part of a terminal that curses uses with TERM=xterm-256color."""

    TOKEN = re.compile(
        r"\x1b\[([<=>?]?)([0-9;:]*)([ -/]*)([@-~])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
        r"|\x1b[()*+].|\x1b[=>78MDEHc]|[\x00-\x1a\x1c-\x1f\x7f]|[^\x00-\x1f\x7f\x1b]+")

    def __init__(self):
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.x = self.y = 0
        self.top, self.bottom = 0, ROWS - 1
        self.last, self.rest = " ", b""
        self.draws_lines = False

    def feed(self, data):
        data = self.rest + data
        self.rest = b""
        # A sequence or a character may come in two pieces.
        escape = data.rfind(b"\x1b")
        tail = data[escape:].decode("utf-8", "replace") if escape >= 0 else ""
        if escape >= 0 and len(tail) < 40 and not self.TOKEN.match(tail):
            data, self.rest = data[:escape], data[escape:]
        for cut in range(4):
            try:
                text = data[: len(data) - cut].decode("utf-8")
            except UnicodeDecodeError:
                continue
            self.rest = data[len(data) - cut:] + self.rest
            break
        else:
            text = data.decode("utf-8", "replace")
        for match in self.TOKEN.finditer(text):
            token = match.group(0)
            if match.group(4):
                if not match.group(1) and not match.group(3):
                    self.control(match.group(4), match.group(2))
            elif token[0] == "\x1b":
                if token == "\x1bM":
                    self.reverse_index()
                elif token[1] == "(":
                    self.draws_lines = token[2] == "0"
            elif token[0] < " " or token == "\x7f":
                self.command(token)
            else:
                self.write(token)

    def command(self, token):
        if token == "\r":
            self.x = 0
        elif token == "\n":
            self.index()
        elif token == "\b":
            self.x = max(0, self.x - 1)
        elif token == "\t":
            self.x = min(COLUMNS - 1, (self.x // 8 + 1) * 8)

    def write(self, text):
        if self.draws_lines:
            text = text.translate(str.maketrans("xqlkmjtuvwn", "│─┌┐└┘├┤┴┬┼"))
        for character in text:
            if unicodedata.combining(character):
                continue
            width = 2 if unicodedata.east_asian_width(character) in "WF" else 1
            if self.x + width > COLUMNS:
                self.x = 0
                self.index()
            line = self.cells[self.y]
            line[self.x] = character
            if width == 2:
                line[self.x + 1] = ""
            self.x += width
            self.last = character

    def index(self):
        if self.y == self.bottom:
            self.scroll(1)
        else:
            self.y = min(ROWS - 1, self.y + 1)

    def reverse_index(self):
        if self.y == self.top:
            self.scroll(-1)
        else:
            self.y = max(0, self.y - 1)

    def scroll(self, count, top=None):
        top = self.top if top is None else top
        for _ in range(min(abs(count), self.bottom - top + 1)):
            if count > 0:
                del self.cells[top]
                self.cells.insert(self.bottom, [" "] * COLUMNS)
            else:
                del self.cells[self.bottom]
                self.cells.insert(top, [" "] * COLUMNS)

    def control(self, final, text):
        numbers = [int(part) if part.isdigit() else 0 for part in text.split(";")]
        first = numbers[0]
        count = max(1, first)
        line = self.cells[self.y]
        if final in "Hf":
            self.y = min(ROWS, count) - 1
            self.x = min(COLUMNS, max(1, numbers[1] if len(numbers) > 1 else 1)) - 1
        elif final == "A":
            self.y = max(0, self.y - count)
        elif final == "B":
            self.y = min(ROWS - 1, self.y + count)
        elif final == "C":
            self.x = min(COLUMNS - 1, self.x + count)
        elif final == "D":
            self.x = max(0, self.x - count)
        elif final == "G":
            self.x = min(COLUMNS, count) - 1
        elif final == "d":
            self.y = min(ROWS, count) - 1
        elif final == "K":
            start, end = [(self.x, COLUMNS), (0, self.x + 1), (0, COLUMNS)][first]
            line[start:end] = [" "] * (end - start)
        elif final == "J":
            rows = [range(self.y + 1, ROWS), range(self.y), range(ROWS)][min(first, 2)]
            for row in rows:
                self.cells[row] = [" "] * COLUMNS
            if first < 2:
                self.control("K", str(first))
        elif final == "X":
            count = min(count, COLUMNS - self.x)
            line[self.x:self.x + count] = [" "] * count
        elif final == "b":
            self.write(self.last * count)
        elif final == "@":
            line[self.x:self.x] = [" "] * count
            del line[COLUMNS:]
        elif final == "P":
            del line[self.x:self.x + count]
            line.extend([" "] * (COLUMNS - len(line)))
        elif final == "L":
            self.scroll(-count, top=self.y)
        elif final == "M":
            self.scroll(count, top=self.y)
        elif final == "S":
            self.scroll(count)
        elif final == "T":
            self.scroll(-count)
        elif final == "r":
            self.top = max(1, first) - 1
            self.bottom = (numbers[1] if len(numbers) > 1 and numbers[1] else ROWS) - 1
            self.x = self.y = 0

    def text(self):
        return "\n".join("".join(line) for line in self.cells)


class Session:
    """A program on a pseudo terminal; a thread stamps its output on arrival."""

    def __init__(self, command, directory):
        self.screen, self.chunks, self.taken = Screen(), [], 0
        self.total, self.ended, self.peak = 0, False, 0
        environment = {
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"],
            "HOME": directory, "XDG_STATE_HOME": directory, "XDG_CONFIG_HOME": directory}
        parent, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.begin = time.perf_counter()
        self.process = subprocess.Popen(
            command, stdin=child, stdout=child, stderr=child, env=environment,
            start_new_session=True, close_fds=True)
        os.close(child)
        self.terminal = parent
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        while True:
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError:
                data = b""
            if not data:
                self.ended = True
                return
            self.total += len(data)
            self.chunks.append((time.perf_counter(), data))

    def wait(self, is_there, start, timeout=60):
        """Milliseconds from `start` until the picture is as wanted."""
        while True:
            while self.taken < len(self.chunks):
                stamp, data = self.chunks[self.taken]
                self.taken += 1
                self.screen.feed(data)
                if is_there(self.screen.text()):
                    return (stamp - start) * 1000
            if self.ended or time.perf_counter() - start > timeout:
                raise SystemExit("The picture did not come. There is:\n" + self.screen.text())
            time.sleep(0.0005)

    def settle(self, quiet=0.08):
        """Waits until nothing has been sent for a while; the time of the last byte."""
        while not self.chunks or time.perf_counter() - self.chunks[-1][0] < quiet:
            if self.ended and not self.chunks:
                raise SystemExit("The program has ended without a word.")
            time.sleep(0.002)
        while self.taken < len(self.chunks):
            self.screen.feed(self.chunks[self.taken][1])
            self.taken += 1
        return self.chunks[-1][0]

    def picture_has(self, pattern):
        """Whether something is on the part of the screen that has been read."""
        while self.taken < len(self.chunks):
            self.screen.feed(self.chunks[self.taken][1])
            self.taken += 1
        return re.search(pattern, self.screen.text()) is not None

    def press(self, keys):
        start = time.perf_counter()
        os.write(self.terminal, keys.encode())
        return start

    def note_memory(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            peak = re.search(r"VmHWM:\s+(\d+)", status.read())
        self.peak = max(self.peak, int(peak[1]) / 1024)

    def close(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        os.close(self.terminal)


def pages(session, key, count):
    """The times of so many presses until the picture is whole again, and the bytes of each."""
    times, sizes = [], []
    for _ in range(count):
        before, sent = session.screen.text(), session.total
        start = session.press(key)
        session.wait(lambda text: text != before, start)
        times.append((session.settle() - start) * 1000)
        sizes.append(session.total - sent)
    return times, sizes


def run(command, expected):
    with tempfile.TemporaryDirectory() as directory:
        session = Session(command, directory)
        try:
            result = {}
            result["launch to first rows"] = session.wait(
                lambda text: re.search(expected["first"], text), session.begin)
            session.settle(0.5)
            times, sizes = pages(session, "\x1b[6~", 30)
            result["page down, median"] = statistics.median(times)
            result["page down, 95th percentile"] = sorted(times)[int(len(times) * 0.95)]
            result["bytes per page down"] = statistics.median(sizes) / 1000
            times, _ = pages(session, "j", 30)
            result["line down, median"] = statistics.median(times)
            start = session.press("G")
            result["jump to end"] = session.wait(lambda text: re.search(expected["last"], text), start)
            session.settle()
            session.press("<w")
            session.wait(lambda text: "where" in text, time.perf_counter())
            session.press('age > 30 AND name BEGINSWITH "T"')
            session.settle(0.3)
            start = session.press("\r")
            result["filter, first rows"] = session.wait(
                lambda text: re.search(expected["filtered"], text), start)
            session.settle(0.5)
            session.press("x")
            session.settle(0.8)
            session.press("<0" + "l" * expected["salary"])
            session.settle()
            session.press("s")
            session.settle(0.8)
            start = session.press("s")
            result["sort, first rows"] = session.wait(
                lambda text: re.search(expected["sorted"], text), start)
            session.settle(0.8)
            session.press("s" + "0" + "l" * expected["department"])
            session.settle(0.8)
            start = session.press("gb")
            result["group with counts"] = session.wait(
                lambda text: expected["sections"] in text, start)
            session.settle(0.5)
            session.note_memory()
            result["peak memory"] = session.peak
            return result
        finally:
            session.close()


def run_import(program, file):
    """Presses keys while the rows of the file are imported into a table of a thousand."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        source = os.path.join(directory, "people.csv")
        target = os.path.join(directory, "target.sqlite")
        database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        columns = [column[1] for column in database.execute("PRAGMA table_info(employee)")][1:]
        with open(source, "w", newline="") as text:
            writer = csv.writer(text)
            writer.writerow(columns)
            writer.writerows(database.execute(f"SELECT {', '.join(columns)} FROM employee"))
        imported, = database.execute("SELECT count(*) FROM employee").fetchone()
        tables = database.execute(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name IN ('department', 'employee')")
        small = sqlite3.connect(target)
        for (statement,) in tables:
            small.execute(statement)
        small.execute("ATTACH ? AS whole", (file,))
        small.execute("INSERT INTO department SELECT * FROM whole.department")
        small.execute("INSERT INTO employee SELECT * FROM whole.employee ORDER BY id LIMIT 1000")
        small.commit()
        small.close()
        session = Session([program, target, "--entity", "employee"], directory)
        try:
            session.wait(lambda text: "1 of 1,000" in text, session.begin)
            session.settle(0.3)
            session.press(f":import {source}\r")
            session.wait(lambda text: "→ email" in text, time.perf_counter())
            session.settle(0.3)
            session.press("I")
            session.wait(lambda text: "Importing" in text, time.perf_counter())
            # The next key takes the message away that all has been imported, so the rows are counted.
            all_rows = r"of " + r"[\s,]?".join(str(imported + 1000)) + r"\b"
            times, row, begun = [], 1, time.perf_counter()
            while not session.picture_has(all_rows) and not session.ended:
                row = 3 - row
                start = session.press("j" if row == 2 else "k")
                # The number of rows behind it grows all the time.
                times.append(session.wait(
                    lambda text: re.search(rf"\b{row} of [\d,\s]{{4}}", text), start))
                if start - begun > 600:
                    raise SystemExit("The import did not end. There is:\n" + session.screen.text())
                time.sleep(0.03)
            return {
                "line down during an import, median": statistics.median(times),
                "the same, 95th percentile": sorted(times)[int(len(times) * 0.95)]}
        finally:
            session.close()


def expectations(file):
    """The expected texts of the pictures, read from the file itself."""
    database = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    def row(clauses):
        # Many people have the same name; the address has the number in it.
        name, surname, email = database.execute(
            f"SELECT name, surname, email FROM employee {clauses}").fetchone()
        address = re.escape(email.partition("@")[0])
        return rf"\b{re.escape(name)}\s+{re.escape(surname)}\b[^\n]*\b{address}@"
    # The browser shows the identifier, which is the first column of the table, last.
    columns = [column[1] for column in database.execute("PRAGMA table_info(employee)")][1:]
    sections = database.execute("SELECT count(DISTINCT department_id) FROM employee").fetchone()[0]
    nothing = database.execute(
        "SELECT count(*) FROM employee WHERE department_id IS NULL").fetchone()[0]
    def loosely(clauses):
        """For programs that draw lines between the columns."""
        found = database.execute(f"SELECT name, surname FROM employee {clauses}").fetchone()
        return r"\W+".join(re.escape(str(value)) for value in found)
    where = "WHERE age > 30 AND name >= 'T' AND name < 'U'"
    loose = {
        "first": loosely("ORDER BY id LIMIT 1"), "last": loosely("ORDER BY id DESC LIMIT 1"),
        "filtered": loosely(f"{where} ORDER BY id LIMIT 1 OFFSET 5"),
        "sorted": loosely("ORDER BY salary DESC LIMIT 1 OFFSET 1"),
        "rows": database.execute("SELECT count(*) FROM employee").fetchone()[0],
        "matches": database.execute(f"SELECT count(*) FROM employee {where}").fetchone()[0],
        "sections": sections + (1 if nothing else 0),
    }
    return {
        "loose": loose,
        "first": row("ORDER BY id LIMIT 1"), "last": row("ORDER BY id DESC LIMIT 1"),
        "filtered": row(
            "WHERE age > 30 AND name >= 'T' AND name < 'U' ORDER BY id LIMIT 1 OFFSET 5"),
        "sorted": row("ORDER BY salary DESC LIMIT 1 OFFSET 1"),
        "sections": f"{sections + (1 if nothing else 0)} sections",
        "salary": columns.index("salary"), "department": columns.index("department_id"),
    }


def make_people(file, rows):
    """Invented people in two hundred departments; the same at every making."""
    names = ("Ada Bao Cleo Dag Elif Femi Gus Hana Ivo Jun Kaja Lea Mio Nil Oda Pia Quim Rosa Sol Tilda "
             "Umar Vera Wim Xenia Yara Zoe Theo Tara").split()
    surnames = "Arslan Berg Costa Diaz Evans Fox Garcia Haas Ito Jensen Kaya Lund Moreau Novak".split()
    positions = "Writer Designer Developer Tester Analyst Driver Cook".split()
    chance = random.Random(4)
    # Another measuring may make it at the same time.
    temporary = f"{file}.{os.getpid()}"
    if os.path.exists(temporary):
        os.remove(temporary)
    database = sqlite3.connect(temporary)
    database.executescript("""
        CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE employee (
          id INTEGER PRIMARY KEY, name TEXT, surname TEXT, age INT, salary REAL, position TEXT,
          department_id INTEGER REFERENCES department (id), hired TEXT, email TEXT);""")
    database.executemany(
        "INSERT INTO department VALUES (?, ?)", ((i, f"Department {i}") for i in range(1, 201)))
    def people():
        for number in range(1, rows + 1):
            name, surname = chance.choice(names), chance.choice(surnames)
            yield (number, name, surname, chance.randint(18, 67),
                   round(chance.gauss(50000, 15000), 2), chance.choice(positions),
                   chance.randint(1, 200) if chance.random() > 0.02 else None,
                   f"{chance.randint(1990, 2024)}-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}",
                   f"{name}.{surname}{number}@example.org".lower())
    database.executemany("INSERT INTO employee VALUES (?,?,?,?,?,?,?,?,?)", people())
    database.execute("CREATE INDEX employee_department ON employee (department_id)")
    database.commit()
    database.close()
    os.rename(temporary, file)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--file")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--peers", help="which others to measure; all on PATH without it")
    options = parser.parse_args()
    file = options.file
    if not file:
        folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".build", "people")
        os.makedirs(folder, exist_ok=True)
        file = os.path.join(folder, f"people-{options.rows}.sqlite")
        if not os.path.exists(file):
            print(f"Making {file} …", file=sys.stderr)
            make_people(file, options.rows)
    expected = expectations(file)
    command = [options.program, file, "--entity", "employee", "--read-only"]
    # The first run reads the file into the system's cache and does not count.
    run(command, expected)
    results = [run(command, expected) for _ in range(options.runs)]
    imported = run_import(options.program, file)
    for result in results:
        result.update(imported)
    others = {}
    for peer in peers.installed():
        if options.peers is None or peer[0] in options.peers.split(","):
            print(f"Measuring {peer[0]} …", file=sys.stderr)
            others[peer[0]] = peers.run(peer, file, expected["loose"], sys.modules[__name__])
    print(f"{'step':36} {'here':>9} {'goal':>9} " + "".join(f"{name:>12}" for name in others))
    for name, unit, goal in GOALS:
        here = statistics.median(result[name] for result in results)
        aim = f"{goal:g} {unit}" if goal is not None else "–"
        columns = "".join(
            f"{result[name]:9.1f} {unit:2}" if name in result else f"{'–':>12}"
            for result in others.values())
        miss = "" if goal is None or here <= goal else "   missed"
        print(f"{name:36} {here:6.1f} {unit:2} {aim:>9} {columns}{miss}")
    for name, result in others.items():
        if "fault" in result:
            print(f"{name} did not come to its end: {result['fault']}")


if __name__ == "__main__":
    main()
