import DatastoreTestSupport
import Foundation
import Testing

// Promise: a CSV or JSON file is queried and written as CSV, TSV or JSON → every cell is the text of the
// file, in any order, from gzip, UTF-16 and pipes as well; Python's csv and json agree.
/// Rows of files are written with their texts in the file, whatever their types are. Python's `csv` and
/// `json` give the expected texts.
@Suite("datastore query: text is the value, types are a view of it")
struct FileTextTests {
  private let program: Program
  private let seed = UInt64(ProcessInfo.processInfo.environment["SEED"] ?? "") ?? 20_260_321

  init() throws {
    program = try Program()
    try program.directory.write(Self.generator, to: "make.py")
    try program.directory.write(Self.oracle, to: "compare.py")
  }

  /// The output of a query, without its messages.
  private func query(_ arguments: String...) async throws -> String {
    let outcome = try await program.start(["query"] + arguments).outcome()
    #expect([0, 3].contains(outcome.status), "\(arguments): \(outcome.errors)")
    return outcome.output
  }

  private func expectSame(_ command: String) async throws {
    let outcome = try await program.shell(command)
    #expect(
      outcome.status == 0 && outcome.output == "", "seed \(seed): \(command)\n\(outcome.output)")
  }

  @Test("Numbers, dates, marks and UUIDs go out as they came in; --typed writes what they are")
  func examples() async throws {
    let text = #"""
      price,sold,at,id,note,zip
      999.50,11/9/1995,2024-01-05 09:00:00+02:00,0b3c9e32-5c1a-4c7f-9f5e-3f2b6f0c1d2e,"x, ""y""",01234
      1.00E+05,12/31/1995,2024-01-05T09:00:00.123456789Z,0B3C9E32-5C1A-4C7F-9F5E-3F2B6F0C1D2F,,00501
      #N/A,1/2/1996,,,"",99999

      """#
    try program.directory.write(text, to: "f.csv")
    #expect(try await query("f.csv", "--format", "csv") == text)
    #expect(
      try await query("f.csv", "--columns", "id, price AS cost", "--order-by", "sold desc")
        == """
        id,cost
        ,#N/A
        0B3C9E32-5C1A-4C7F-9F5E-3F2B6F0C1D2F,1.00E+05
        0b3c9e32-5c1a-4c7f-9f5e-3f2b6f0c1d2e,999.50

        """)
    #expect(
      try await query("f.csv", "--typed", "--columns", "price, sold", "--where", "price > 1000")
        == "price,sold\n100000.0,1995-12-31\n")
    #expect(
      try await query("f.csv", "--columns", "price, zip, sold", "--format", "jsonl")
        == """
        {"price":999.50,"zip":"01234","sold":"11/9/1995"}
        {"price":1.00E+05,"zip":"00501","sold":"12/31/1995"}
        {"price":null,"zip":"99999","sold":"1/2/1996"}

        """)
    #expect(
      try await query("f.csv", "--null", "none", "--columns", "price, note")
        == "price,note\n999.50,\"x, \"\"y\"\"\"\n1.00E+05,none\nnone,\"\"\n")
  }

  @Test("The text that is read as no value is another option than the one that is written for it")
  func marks() async throws {
    try program.directory.write("id,n\n1,?\n2,5\n", to: "m.csv")
    let outcome = try await program.run(
      "query", "m.csv", "--input-null", "?", "--null", "-", "--where", "n = nil")
    #expect(outcome == Program.Outcome(status: 0, output: "id,n\n1,-\n", errors: ""))
    let help = try await program.run("query", "--help").output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("The text to write for NULL"), "\(help)")
    #expect(help.contains("in a file that is read is --input-null"), "\(help)")
  }

  @Test("JSON keeps the digits of its numbers, its strings and its lists")
  func json() async throws {
    let text = """
      [{"n": 1.50, "at": "2024-01-05T09:00:00+02:00", "tags": [ "a" , {"b": 1.0} ], "big": 1234567890123456789012345678901234567890},
       {"n": 1E5, "at": null, "tags": "[1]", "big": 2, "zip": "0012"}]
      """
    try program.directory.write(text, to: "f.json")
    #expect(
      try await query("f.json", "--format", "jsonl")
        == """
        {"n":1.50,"at":"2024-01-05T09:00:00+02:00","tags":["a",{"b":1.0}],"big":1234567890123456789012345678901234567890,"zip":null}
        {"n":1E5,"at":null,"tags":"[1]","big":2,"zip":"0012"}

        """)
    #expect(
      try await query("f.json", "--columns", "n, big, zip", "--format", "csv")
        == "n,big,zip\n1.50,1234567890123456789012345678901234567890,\n1E5,2,0012\n")
  }

  @Test("Every cell of generated CSV files is what Python reads there", arguments: 0..<4)
  func generated(round: Int) async throws {
    let seed = seed &+ UInt64(round)
    try await expectSame(
      """
      python3 make.py csv \(seed) f.csv && datastore query f.csv --format csv 2>/dev/null > out.csv
      python3 compare.py csv f.csv out.csv
      datastore query f.csv --format tsv 2>/dev/null > out.tsv; python3 compare.py csv f.csv out.tsv
      datastore query f.csv --format jsonl 2>/dev/null > out.jsonl; python3 compare.py jsonl f.csv out.jsonl
      datastore query f.csv --order-by number --format csv 2>/dev/null > sorted.csv
      python3 compare.py sorted f.csv sorted.csv
      gzip -k f.csv; datastore query f.csv.gz --order-by number --format csv 2>/dev/null | cmp - sorted.csv
      cat f.csv | datastore query - --format csv 2>/dev/null | cmp - out.csv
      iconv -f UTF-8 -t UTF-16 f.csv > u.csv; datastore query u.csv --format csv 2>/dev/null | cmp - out.csv
      """)
  }

  @Test("Every value of generated JSON files is what Python reads there", arguments: 0..<4)
  func generatedJSON(round: Int) async throws {
    let seed = seed &+ UInt64(round)
    try await expectSame(
      """
      for form in json lines; do
        python3 make.py $form \(seed) f.$form && datastore query f.$form --input-format \
          $([ $form = json ] && echo json || echo jsonl) --format json 2>/dev/null > out.json
        python3 compare.py $form f.$form out.json
      done
      """)
  }

  private static let generator = #"""
    import json, random, sys
    form, seed, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    r = random.Random(seed)
    words = ['a', 'Zoë', 'x,y', 'say "hi"', 'two\nlines', 'tab\there', ' padded ', '漢字', '😀', "it's", '#1', '-', 'NA', 'null', '007', '+12', 'TRUE', '1e5', '']
    def digits(n): return ''.join(r.choice('0123456789') for _ in range(n))
    def uuid():
        text = '-'.join(''.join(r.choice('0123456789abcdef') for _ in range(n)) for n in (8, 4, 4, 4, 12))
        return r.choice([text, text.upper()])
    def day(): return r.randint(1, 12), r.randint(1, 28), r.randint(1900, 2099)
    def american(): return '%d/%d/%d' % day()
    def iso(): m, d, y = day(); return '%04d-%02d-%02d' % (y, m, d)
    def moment():
        t = '%02d:%02d' % (r.randint(0, 23), r.randint(0, 59)) + r.choice(['', ':%02d' % r.randint(0, 59), ':00.' + digits(9), ':01.500'])
        return iso() + r.choice('T ') + t + r.choice(['', 'Z', '+02:00', '-0530', '+01'])
    makers = {
        'number': lambda: str(r.randint(-9999, 9999)), 'price': lambda: '%.2f' % (r.random() * 1000),
        'mixed': lambda: r.choice([str(r.randint(0, 9)), '%.1f' % r.random(), '1.50']),
        'exponent': lambda: '%.2E' % (r.random() * 10 ** r.randint(-9, 9)), 'long': lambda: str(r.randint(1, 9)) + digits(r.randint(1, 40)),
        'american': american, 'iso': iso, 'moment': moment, 'uuid': uuid, 'flag': lambda: r.choice(['true', 'false']),
        'yes': lambda: r.choice(['True', 'FALSE', 'true']), 'word': lambda: r.choice(words), 'zip': lambda: digits(5),
        'url': lambda: 'http://example.org/%s?a=%%20' % r.choice(['a', 'B']), 'any': lambda: r.choice(list(makers.values()))() ,
    }
    names = ['number'] + r.sample([n for n in makers if n != 'number'], 9)
    count = r.randint(30, 400)
    if form == 'csv':
        def field(name):
            text = '' if r.random() < 0.05 else 'NA' if name not in ('word', 'number') and r.random() < 0.03 else makers[name]()
            if any(c in text for c in ',"\n\r') or r.random() < 0.1: text = '"' + text.replace('"', '""') + '"'
            return text
        end = r.choice(['\n', '\r\n'])
        with open(path, 'w', newline='', encoding='utf-8') as f:
            f.write(','.join(names) + end)
            for _ in range(count): f.write(','.join(field(n) for n in names) + end)
    else:
        def value(name, depth=0):
            kind = r.random()
            if kind < 0.05: return 'null'
            if kind < 0.1 and depth < 3: return '[' + ', '.join(value('any', depth + 1) for _ in range(r.randint(0, 3))) + ']'
            if kind < 0.15 and depth < 3: return '{' + ' , '.join(json.dumps(r.choice(words)+str(i)) + ' : ' + value('any', depth + 1) for i in range(r.randint(0, 3))) + '}'
            if name in ('number', 'price', 'mixed', 'exponent', 'long', 'flag'): return makers[name]()
            return json.dumps(makers[name](), ensure_ascii=r.random() < 0.5)
        def record(): return '{' + ', '.join(json.dumps(n) + ': ' + value(n) for n in names if r.random() < 0.9) + '}'
        records = [record() for _ in range(count)]
        with open(path, 'w', encoding='utf-8') as f:
            f.write('[\n' + ',\n'.join(records) + '\n]\n' if form == 'json' else '\n'.join(records) + '\n')
    """#

  private static let oracle = #"""
    import csv, json, sys
    csv.field_size_limit(10 ** 9)
    form, source, output = sys.argv[1:]
    def rows(path):
        with open(path, newline='', encoding='utf-8') as f:
            return list(csv.reader(f, delimiter='\t' if path.endswith('.tsv') else ','))
    def exact(text): return json.loads(text, parse_int=lambda t: ('number', t), parse_float=lambda t: ('number', t))
    def differ(where, one, other): print(f'{where}: {one!r} became {other!r}')
    if form in ('csv', 'sorted'):
        one, other = rows(source), rows(output)
        if form == 'sorted': one, other = sorted(one[1:]), sorted(other[1:])
        if len(one) != len(other): differ('rows', len(one), len(other))
        for number, (a, b) in enumerate(zip(one, other)):
            if a != b: differ(number, a, b)
    elif form == 'jsonl':
        header, *one = rows(source)
        other = [exact(line) for line in open(output, encoding='utf-8')]
        if len(one) != len(other): differ('rows', len(one), len(other))
        for number, (a, b) in enumerate(zip(one, other)):
            for name, text in zip(header, a):
                value = b[name]
                if value is None: same = text in ('', 'NA', 'null', '-')
                elif isinstance(value, bool): same = text.lower() == str(value).lower()
                elif isinstance(value, str): same = value == text
                else: same = value[1] == text
                if not same: differ(f'{number} {name}', text, value)
    else:
        text = open(source, encoding='utf-8').read()
        one = exact(text) if form == 'json' else [exact(line) for line in text.splitlines()]
        other = exact(open(output, encoding='utf-8').read())
        if len(one) != len(other): differ('rows', len(one), len(other))
        for number, (a, b) in enumerate(zip(one, other)):
            if {k: v for k, v in a.items() if v is not None} != {k: v for k, v in b.items() if v is not None}: differ(number, a, b)
    """#
}
