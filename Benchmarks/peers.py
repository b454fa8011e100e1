"""How other terminal browsers do what browser.py measures; those that are on PATH are measured beside ours.

Each does its jobs as its users do: VisiData with its own commands, the others with statements. Times are
counted from the last key of a step. What one cannot do has no figure.
"""
import re, shutil, statistics, tempfile, time

SELECT = "select * from employee"
FILTER = SELECT + " where age > 30 and name like 'T%'"
SORT = SELECT + " order by salary desc"
GROUP = "select department_id, count(*), avg(salary) from employee group by 1"
DOWN, END, ESCAPE = "\x1b[6~", "\x1b[1;5F", "\x1b"


def steps(expected, kind):
    """The steps, in order: the figure, its keys with pauses in seconds between, and the expected text."""
    if kind == "visidata":
        first = ["j", 0.2, "\r"]
        return first, DOWN, [
            ("", [], f" {expected['rows']} rows"),
            ("jump to end", ["G"], expected["last"]),
            ("", ["gg", 0.3, "z|", 0.3, "age>30 and name.startswith('T')", 0.3], "startswith"),
            ("filter, first rows", ["\r"], f"{expected['matches']}"),
            ("", ['"', 3, "q", 0.5, "gu", 0.5, "c", 0.3, "salary", "\r", 0.5], "."),
            ("sort, first rows", ["]"], expected["sorted"]),
            ("", ["c", 0.3, "department", "\r", 1], "."),
            ("group with counts", ["F"], f"{expected['sections']} bins"),
        ]
    if kind == "lnav":
        def ask(statement):
            return ["g", 0.3, ";", 0.3, statement, 0.4, "\r"]
        first, down, end, group = ask(SELECT)[2:], DOWN, ["G"], "rows matched"
    elif kind == "harlequin":
        def ask(statement):
            return ["\x1bOQ", 0.4, "\x01", 0.3, statement, 0.8, "\n"]
        first, down, end, group = [SELECT, 1, "\n"], DOWN, [END], "Records"
    else:
        def ask(statement):
            return ["q", 0.4, "N", 0.4, "i", 0.4, statement, 0.8, ESCAPE, 0.5, "\r"]
        first = ["q", 0.4, "i", 0.4, SELECT, 0.8, ESCAPE, 1.5, "\r"]
        # It reads the first rows only, so that it has no end to jump to.
        down, end, group = "\x04", None, "rows"
    return first, down, [
        ("jump to end", end, expected["last"]),
        ("filter, first rows", ask(FILTER), expected["filtered"]),
        ("sort, first rows", ask(SORT), expected["sorted"]),
        ("group with counts", ask(GROUP), rf"{expected['sections']} {group}"),
    ]


# Name, program, arguments before the file, what is seen when keys are taken, and the keys that give the
# focus to the rows.
PEERS = [
    ("VisiData", "vd", ["-N"], "visidata", "employee", []),
    ("harlequin", "harlequin",
     ["-a", "sqlite", "--no-write-history", "--viewer-max-rows", "-1"],
     "harlequin", "Database Connected", ["\x1b[15~", 1]),
    ("sqlit", "sqlit", ["connect", "sqlite", "--file-path"], "sqlit", "Tables", ["r", 3]),
    ("lnav", "lnav", [], "lnav", "SCHEMA", []),
]


def installed():
    return [peer for peer in PEERS if shutil.which(peer[1])]


def run(peer, file, expected, browser, timeout=180):
    """One run; the figures of the completed steps."""
    name, program, arguments, kind, ready, focus = peer
    first, down, rest = steps(expected, kind)
    result = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as directory:
        session = browser.Session([shutil.which(program), *arguments, file], directory)

        def press(keys):
            start = time.perf_counter()
            for key in keys:
                if isinstance(key, str):
                    start = session.press(key)
                else:
                    time.sleep(key)
            return start

        def see(pattern, start):
            return session.wait(lambda text: re.search(pattern, text), start, timeout)

        try:
            launch = see(ready, session.begin)
            time.sleep(0.7)
            result["launch to first rows"] = launch + see(expected["first"], press(first))
            session.settle(1)
            press(focus)
            times, sizes = browser.pages(session, down, 30)
            result["page down, median"] = statistics.median(times)
            result["page down, 95th percentile"] = sorted(times)[int(len(times) * 0.95)]
            result["bytes per page down"] = statistics.median(sizes) / 1000
            for figure, keys, pattern in rest:
                if keys is None:
                    continue
                milliseconds = see(pattern, press(keys))
                if figure:
                    result[figure] = milliseconds
                session.settle(0.5)
        except (SystemExit, OSError) as fault:
            # A step that does not complete ends the run; earlier figures count.
            result["fault"] = str(fault).splitlines()[0]
        finally:
            try:
                session.note_memory()
                result["peak memory"] = session.peak
            except (OSError, TypeError):
                # It has ended already.
                pass
            session.close()
    return result
