extension FileConversion {
  /// Writes the tables of a file: for each a line of JSON, pieces of its text after lines with their lengths,
  /// and an empty piece. An error is written in one line, as a part of a sentence.
  ///
  /// Its arguments: the format, the path, the most bytes that the file may become, and the extensions of
  /// files with rows.
  static let script = #"""
    import base64, datetime, json, re, sys, warnings, zipfile

    kind, path, limit, endings = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4].split(",")
    out = sys.stdout.buffer
    warnings.simplefilter("ignore")


    def fail(reason):
        sys.stderr.buffer.write(reason.encode("utf-8", "replace"))
        sys.exit(1)


    def piece(data):
        out.write(b"%d\n" % len(data))
        out.write(data)


    def begin(name=None, texts=(), notes=()):
        header = {"name": name, "texts": list(texts), "notes": list(notes)}
        out.write(json.dumps(header).encode() + b"\n")


    def shown(name):
        name = "".join(letter if letter.isprintable() else "\ufffd" for letter in name)
        return name if len(name) <= 60 else name[:60] + "…"


    def plain(value, form=""):
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, float):
            return repr(int(value) if value.is_integer() and abs(value) < 1e15 else value)
        if isinstance(value, datetime.datetime):
            # What a format shows of it: hours and seconds, or a day only.
            form = re.sub(r'\[[^\]]*\]|"[^"]*"', "", form).lower()
            if form and value.time() == datetime.time() and not re.search("[hs]", form):
                return value.date().isoformat()
            return value.isoformat(" ")
        if isinstance(value, (datetime.date, datetime.time)):
            return value.isoformat()
        if isinstance(value, datetime.timedelta):
            # Python shows days beside the hours, which sorts by neither.
            minutes, rest = divmod(abs(value), datetime.timedelta(minutes=1))
            sign = "-" if value < datetime.timedelta() else ""
            rest = datetime.time.min.replace(second=rest.seconds, microsecond=rest.microseconds)
            return f"{sign}{minutes // 60:02}:{minutes % 60:02}{rest.isoformat()[5:]}"
        if isinstance(value, (bytes, bytearray)):
            return base64.b64encode(value).decode()
        if isinstance(value, (dict, list, tuple)):
            return json.dumps(value, default=plain, ensure_ascii=False)
        return str(value)


    def text(value, form=""):
        # A database has no number that is none.
        if value is None or value != value:
            return ""
        value = plain(value, form)
        if value == "" or value != value.strip() or re.search('[",\r\n]', value):
            return '"' + value.replace('"', '""') + '"'
        return value


    def lines(rows):
        data = []
        for row in rows:
            data.append(",".join(row))
            if len(data) == 500:
                piece(("\n".join(data) + "\n").encode("utf-8", "replace"))
                data = []
        if data:
            piece(("\n".join(data) + "\n").encode("utf-8", "replace"))
        piece(b"")


    def archive():
        try:
            return zipfile.ZipFile(path)
        except zipfile.BadZipFile:
            fail("it is not a zip archive, or is damaged" if kind == "zip"
                 else "it is not a file of Excel, or is damaged")


    def members(zip):
        files = [item for item in zip.infolist() if not item.is_dir()]
        last = lambda item: item.filename.replace("\\", "/").split("/")[-1].lower()
        # What a Mac puts beside files.
        files = [item for item in files
                 if not last(item).startswith(".") and "__MACOSX" not in item.filename.split("/")]
        named = [item for item in files if last(item).rsplit(".", 1)[-1] in endings]
        chosen = named or (files if len(files) == 1 else [])
        if not chosen:
            fail("it has no CSV or JSON files")
        if len(chosen) > 1000:
            fail(f"it has {len(chosen)} files of rows, and no more than 1,000 are read")
        # Rows that need another step.
        def holds_rows(item):
            name, _, ending = last(item).rpartition(".")
            return (ending in ("zip", "xlsx", "xlsm", "xls", "ods", "parquet")
                    or ending in ("gz", "xz", "zst", "bz2") and name.rsplit(".", 1)[-1] in endings)
        notes = [f"“{shown(item.filename)}” beside it is left out; unpack the archive to read it"
                 for item in files if item not in chosen and holds_rows(item)]
        found = False
        for item in chosen:
            if item.flag_bits & 1:
                fail("it is encrypted; unpack it with its password first")
            try:
                with zip.open(item) as file:
                    data = file.read(1 << 16)
                    if len(data) < 1 << 16 and not data.strip(b" \t\r\n\xef\xbb\xbf"):
                        continue
                    found = True
                    begin(item.filename, notes=notes)
                    notes = []
                    while data:
                        piece(data)
                        data = file.read(1 << 16)
            except NotImplementedError:
                fail(f"“{shown(item.filename)}” in it is compressed in a way that python3 does not know")
            except Exception:
                fail(f"“{shown(item.filename)}” in it is damaged")
            piece(b"")
        if not found:
            fail("its files of rows are empty")


    def width(row):
        return next((place for place in range(len(row), 0, -1) if row[place - 1] != ""), 0)


    def content(cell, sheet):
        value, form = cell.value, getattr(cell, "number_format", None) or ""
        if isinstance(value, datetime.datetime) and re.search(r"\[(h+|m+|s+)\]", form, re.I):
            # Hours beyond a day, of which an older openpyxl makes a date of 1900.
            from openpyxl.utils.datetime import to_excel
            value = datetime.timedelta(seconds=round(to_excel(value, sheet.parent.epoch) * 86400, 3))
        return text(value, form)


    def cells(sheet):
        """Rows that have something, as wide as the first ones."""
        held, widest = [], 0
        for row in sheet.iter_rows():
            row = [content(cell, sheet) for cell in row]
            row = row[:width(row)]
            if not row:
                continue
            held.append(row)
            if not widest and len(held) < 1000:
                continue
            widest = widest or max(map(len, held))
            yield from (row + [""] * (widest - len(row)) for row in held)
            held = []
        widest = widest or max(map(len, held), default=0)
        yield from (row + [""] * (widest - len(row)) for row in held)


    def unknown(sheet):
        """A note where formulas have no value, which only programs that compute them write."""
        count, rest = 0, b""
        with sheet._get_source() as file:
            while data := file.read(1 << 20):
                *parts, rest = (rest + data).split(b"</c>")
                # What follows the cells may be long.
                rest = rest[-(1 << 17):]
                for part in parts:
                    cell = part[part.rfind(b"<c "):] if b"<f" in part else b""
                    # An empty text is a value.
                    count += b"<f" in cell and not re.search(rb'<v[^>]*>[^<]|\bt="str"', cell)
        if not count:
            return []
        what = "1 formula" if count == 1 else f"{count:,} formulas"
        return [f"{what} in “{shown(sheet.title)}” {'has' if count == 1 else 'have'} no computed value; "
                "open and save the workbook in a spreadsheet program first"]


    def workbook():
        try:
            import openpyxl
        except ImportError:
            fail("python3 lacks the module openpyxl, which reads files of Excel (apt install python3-openpyxl)")
        with open(path, "rb") as file:
            if file.read(4) == b"\xd0\xcf\x11\xe0":
                fail("it is encrypted, or of an Excel before 2007; save it as .xlsx without a password")
        if sum(item.file_size for item in archive().infolist()) > limit:
            fail("it becomes more than 1000 times as long as it is, as no file of rows does")
        try:
            book = openpyxl.load_workbook(path, read_only=True, data_only=True)
        except Exception:
            fail("it is not a file of Excel, or is damaged")
        sheets, lost = [], []
        for sheet in book.worksheets:
            # Sizes that a file says of its sheets may be wrong.
            sheet.reset_dimensions()
            notes = unknown(sheet)
            if next(cells(sheet), None) is not None:
                sheets.append((sheet, notes))
            else:
                lost += notes
        if not sheets:
            fail(lost[0] if lost else "its sheets are empty")
        sheets[0][1].extend(lost)
        for sheet, notes in sheets:
            begin(sheet.title if len(sheets) > 1 else None, notes=notes)
            lines(cells(sheet))


    def parquet():
        try:
            import pyarrow, pyarrow.parquet
        except ImportError:
            return parquet_of_duckdb()
        types = pyarrow.types
        try:
            file = pyarrow.parquet.ParquetFile(path)
        except Exception:
            fail("it is not a file of Parquet, or is damaged")

        def texts(column):
            kind = column.type
            if types.is_nested(kind) or types.is_dictionary(kind) or not types.is_primitive(kind):
                return [text(value) for value in column.to_pylist()]
            return ["" if value in (None, "nan") else value
                    for value in column.cast(pyarrow.string()).to_pylist()]

        def holds_text(kind):
            kind = str(kind.value_type if types.is_dictionary(kind) else kind).split("[")[0]
            return kind.replace("large_", "").replace("_view", "") in ("string", "binary", "fixed_size_binary")

        fields = file.schema_arrow
        begin(None, [field.name for field in fields if field.name and holds_text(field.type)])
        write(fields.names, (row for batch in file.iter_batches() for row in zip(*map(texts, batch.columns))))


    def parquet_of_duckdb():
        try:
            import duckdb, glob
        except ImportError:
            fail("python3 lacks a module that reads files of Parquet (pip install pyarrow, or pip install duckdb)")
        try:
            found = duckdb.connect().execute("SELECT * FROM read_parquet(?)", [glob.escape(path)])
        except Exception:
            fail("it is not a file of Parquet, or is damaged")
        names = [column[0] for column in found.description]
        begin(None, [column[0] for column in found.description
                     if column[0] and str(column[1]).upper() in ("STRING", "VARCHAR", "BINARY", "BLOB")])

        def rows():
            while some := found.fetchmany(10000):
                yield from ([text(value) for value in row] for row in some)

        write(names, rows())


    def write(names, rows):
        def all():
            yield [text(name) for name in names]
            yield from rows

        lines(all())


    try:
        {"zip": lambda: members(archive()), "xlsx": workbook, "parquet": parquet}[kind]()
        out.flush()
    except BrokenPipeError:
        sys.exit(1)
    except Exception as fault:
        fail("it is damaged, or has something that python3 does not read "
             f"({type(fault).__name__}: {shown(str(fault))})")
    """#
}
