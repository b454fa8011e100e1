import Basics
import DatastoreTestSupport
import Foundation
import Testing

// Promise: a quote, comma, backtick or line end in a name or text has a combining mark behind it → every
// writer quotes it, every reader finds it: by bytes and scalars, in one room; read back by sh, bash,
// sqlite3, psql, Python's csv and json.
// Also: `QuotedOutputTests`, `QuotingOnTerminalTests`, `.ci/check-quoting` in `make lint`
/// Every writer of the room gets texts that break what goes by Characters, and another program reads them
/// back.
@Suite("Quoting", .serialized)
struct QuotingTests {
  /// Texts of one process.
  private static let portion = 200

  /// Runs a test on portions of random texts, which are compared by bytes.
  private func check(
    most: Int = 400, hasControls: Bool = true, _ read: ([String]) throws -> [[UInt8]]
  ) throws {
    for round in RandomCases.rounds(of: Self.portion) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      var texts = (0..<Self.portion).map { _ in
        HostileText.draw(most: most, hasControls: hasControls, using: &random)
      }
      if most < 400 { texts.removeAll(where: \.isEmpty) }
      let found = try read(texts)
      #expect(found.count == texts.count, "seed \(random.seed)")
      for (text, bytes) in zip(texts, found) {
        #expect(bytes == Array(text.utf8), "\(text.debugDescription), seed \(random.seed)")
      }
    }
  }

  private static func bytes(_ digits: some StringProtocol) -> [UInt8] {
    let digits = Array(digits.utf8)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...$0 + 1], as: UTF8.self), radix: 16)
    }
  }

  @Test("A shell passes each word on as it is, and runs nothing")
  func shellWords() throws {
    let folder = try TemporaryDirectory()
    let output = folder.file("out")
    for shell in ["sh", "bash"] {
      try check { texts in
        let script = try folder.write(
          "cd '\(folder.url.path)' && printf '%s\\0' "
            + Quoting.shellCommand(texts) + "\n", to: "script.sh")
        _ = try spawn("/usr/bin/env", [shell, script], output: output)
        return try Data(contentsOf: output).split(separator: 0, omittingEmptySubsequences: false)
          .dropLast().map { Array($0) }
      }
    }
    #expect(try folder.names() == ["out", "script.sh"])
  }

  @Test("SQLite reads texts and names as they are", .enabled(if: SQLiteCommand.isPresent))
  func sqlite() throws {
    let folder = try TemporaryDirectory()
    let file = folder.file("a.sqlite")
    try check { texts in
      let rows = texts.map { "SELECT 'x' || hex(\(Quoting.sqlText($0)));" }.joined(separator: "\n")
      return try SQLiteCommand.run(rows, on: file).split(separator: "\n").map {
        Self.bytes($0.dropFirst())
      }
    }
    try check(most: 60) { names in
      let statements = names.map { name in
        let quoted = Quoting.sqlName("t" + name)
        return """
          CREATE TABLE \(quoted) (\(quoted)); \
          SELECT CASE WHEN m.name = c.name THEN substr(hex(m.name), 3) END \
          FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c; DROP TABLE \(quoted);
          """
      }
      return try SQLiteCommand.run(statements.joined(separator: "\n"), on: file)
        .split(separator: "\n").map { Self.bytes($0) }
    }
  }

  @Test(
    "A pattern of LIKE matches its text and nothing else", .enabled(if: SQLiteCommand.isPresent))
  func likePatterns() throws {
    let folder = try TemporaryDirectory()
    try check { texts in
      let rows = texts.map { text in
        let pattern = Quoting.sqlText(Quoting.likePattern(text))
        return """
          SELECT CASE WHEN t LIKE \(pattern) ESCAPE '\\' AND NOT u LIKE \(pattern) ESCAPE '\\' \
          THEN 'x' || hex(t) END \
          FROM (SELECT \(Quoting.sqlText(text)) AS t, \
          replace(replace(\(Quoting.sqlText(text)), '%', 'zz'), '_', 'zz') || 'z' AS u);
          """
      }
      return try SQLiteCommand.run(rows.joined(separator: "\n"), on: folder.file("a.sqlite"))
        .split(separator: "\n").map { Self.bytes($0.dropFirst()) }
    }
  }

  #if PostgreSQL
  @Test("PostgreSQL reads texts, names and elements of arrays as they are, with either setting")
  func postgreSQL() throws {
    let server = try PostgreSQLServer.shared()
    let database = try server.makeDatabase()
    for setting in ["on", "off"] {
      try check { texts in
        let array = Quoting.postgreSQLText(
          Quoting.postgreSQLArray(texts.map { Optional($0) } + [nil]))
        let rows = try server.psql(
          database,
          """
          SET standard_conforming_strings = \(setting); SET escape_string_warning = off; \
          SELECT 'x' || encode(convert_to(text, 'UTF8'), 'hex') || ' ' || (text = element) \
          FROM unnest(ARRAY[\(texts.map(Quoting.postgreSQLText).joined(separator: ","))], \
          \(array)::text[]) AS read (text, element) WHERE text IS NOT NULL
          """
        ).split(separator: "\n")
        #expect(rows.allSatisfy { $0.hasSuffix(" true") })
        return rows.map { Self.bytes($0.dropFirst().dropLast(5)) }
      }
    }
    try check(most: 60) { names in
      let schema = "s" + names[0]
      var statements = "CREATE SCHEMA \(Quoting.sqlName(schema));"
      for (number, name) in names.enumerated() {
        let (table, column) = ("t\(number)", Quoting.sqlName("c" + name))
        statements += """
          CREATE TABLE \(Quoting.sqlName(schema, table)) (number int DEFAULT \(number), \(column) int);
          """
      }
      return try server.psql(
        database,
        """
        \(statements) SELECT substr(encode(convert_to(attname, 'UTF8'), 'hex'), 3) \
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = attrelid \
        JOIN pg_namespace AS n ON n.oid = relnamespace \
        WHERE nspname = \(Quoting.postgreSQLText(schema)) AND attnum = 2 ORDER BY substr(relname, 2)::int; \
        SET client_min_messages = error; DROP SCHEMA \(Quoting.sqlName(schema)) CASCADE
        """
      ).split(separator: "\n", omittingEmptySubsequences: false).map { Self.bytes($0) }
    }
  }
  #endif

  @Test("Python's csv reads fields as they are, with any delimiter")
  func fields() throws {
    for delimiter in [",", ";", "\t", "|"] {
      try check { texts in
        var record: [UInt8] = []
        for text in texts {
          if !record.isEmpty { record.append(UInt8(ascii: delimiter.unicodeScalars.first ?? ",")) }
          Array(text.utf8).withUnsafeBufferPointer { bytes in
            let byte = UInt8(ascii: delimiter.unicodeScalars.first ?? ",")
            if Quoting.fieldNeedsQuotes(bytes, delimiter: byte) {
              Quoting.append(bytes, between: 0x22, to: &record)
            } else {
              record += bytes
            }
          }
        }
        let rows: [[String]] = try PythonProgram.answer(
          to: [delimiter, String(decoding: record, as: UTF8.self)],
          """
          import csv, io, json, sys
          delimiter, text = json.load(sys.stdin)
          rows = list(csv.reader(io.StringIO(text, newline=''), delimiter=delimiter, strict=True))
          print(json.dumps([[f.encode().hex() for f in row] for row in rows]))
          """)
        #expect(rows.count == 1)
        return rows.first?.map { Self.bytes($0) } ?? []
      }
    }
  }

  @Test("Python's json reads texts as they are")
  func json() throws {
    try check { texts in
      let found: [String] = try PythonProgram.answer(
        to: ["[\(texts.map { Quoting.json($0) }.joined(separator: ","))]"],
        """
        import json, sys
        print(json.dumps([t.encode().hex() for t in json.loads(json.load(sys.stdin)[0])]))
        """)
      return found.map { Self.bytes($0) }
    }
  }

  @Test("Whatever ends lines for Python, the text of a script stays in its line, and is read back")
  func scriptTexts() throws {
    try check { texts in
      let lines = texts.map { "x" + Quoting.scriptText($0) }
      let found: [String] = try PythonProgram.answer(
        to: [lines.joined(separator: "\n")],
        """
        import json, re, sys
        def read(line):
            return re.sub(r'\\\\(u\\{([0-9A-F]+)\\}|.)', lambda m: chr(int(m[2], 16)) if m[2]
                else {'n': '\\n', 'r': '\\r', 't': '\\t', '\\\\': '\\\\'}[m[1]], line[1:])
        print(json.dumps([read(l).encode().hex() for l in json.load(sys.stdin)[0].splitlines()]))
        """)
      for text in texts {
        #expect(
          Quoting.unescapedScriptText(Quoting.scriptText(text)).map { Array($0.utf8) }
            == Array(text.utf8))
      }
      return found.map { Self.bytes($0) }
    }
    #expect(Quoting.unescapedScriptText("\\x") == nil)
    #expect(Quoting.unescapedScriptText("\\u{110000}") == nil)
    #expect(Quoting.unescapedScriptText("\\u{41") == nil)
  }

  /// By the grammar of Graphviz: in a quoted text only `\"` is an escape; in a label, `\\` is a backslash.
  @Test("By the grammars of Graphviz, HTML, Mermaid and Markdown, texts are one text each")
  func documents() throws {
    try check(hasControls: false) { texts in
      let written = texts.map { text in
        [
          Quoting.dotText(text), Quoting.htmlText(text), Quoting.mermaidText(text),
          Quoting.markdownCell(text),
        ]
      }
      let found: [[String]] = try PythonProgram.answer(
        to: written,
        """
        import html, json, re, sys
        def dot(text):
            assert re.fullmatch(r'"([^"\\\\]|\\\\.)*"', text, re.S), text
            return re.sub(r'\\\\(.)', r'\\1', text[1:-1], flags=re.S)
        def page(text):
            assert not re.search('[<>"]', text), text
            return html.unescape(text)
        def mermaid(text):
            assert re.fullmatch(r'"[^"%\\\\]*"', text), text
            return re.sub('#(\\\\w+);', lambda m: '"' if m[1] == 'quot' else chr(int(m[1])), text[1:-1])
        def markdown(text):
            cell, at = '', 0
            while at < len(text):
                if text[at] == '\\\\': at += 1
                else: assert text[at] not in '|`*_[]~#$<', text
                cell, at = cell + text[at], at + 1
            return html.unescape(cell)
        print(json.dumps([[f(t).encode().hex() for f, t in zip((dot, page, mermaid, markdown), ts)]
            for ts in json.load(sys.stdin)]))
        """)
      for four in found { #expect(Set(four).count == 1) }
      return found.map { Self.bytes($0[0]) }
    }
  }

  @Test("Texts are taken apart where Python finds the bytes")
  func parts() throws {
    struct Question: Encodable {
      let text: String
      let separator: String
    }
    for round in RandomCases.rounds(of: Self.portion) {
      var random = SeededRandom(seed: RandomCases.seed(round))
      let questions = (0..<Self.portion).map { _ in
        Question(
          text: HostileText.draw(using: &random),
          separator: [",", "\"", ".", "''", "e", "--"][random.below(6)])
      }
      let found: [[[String]]] = try PythonProgram.answer(
        to: questions,
        """
        import json, re, sys
        def parts(q):
            text, separator = q['text'].encode(), q['separator'].encode()
            words = [w for w in text.split(separator[:1]) if w]
            return [[p.hex() for p in ps] for ps in (re.split(b'\\r\\n|\\n|\\r', text),
                text.split(separator), words, [text.replace(separator, b'<>')])]
        print(json.dumps([parts(q) for q in json.load(sys.stdin)]))
        """)
      for (question, expected) in zip(questions, found) {
        let (text, separator) = (question.text, question.separator)
        let first = separator.unicodeScalars.first ?? " "
        let own = [
          text.lines(), text.parts(at: separator), text.words(at: first),
          [Quoting.substituting(separator, with: "<>", in: text)[...]],
        ]
        #expect(
          own.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Self.bytes($0) } },
          "\(text.debugDescription) at \(separator), seed \(random.seed)")
        #expect(text.hasLineEnd == (text.lines().count > 1))
        #expect(text.has(first) == text.utf8.contains(UInt8(ascii: first)))
        let quoted = Quoting.quoted(text, by: first)
        let inside = quoted.unicodeScalars.dropFirst().dropLast()
        #expect(
          Quoting.undoubled(Substring(inside), quote: first).isExactly(text))
      }
    }
  }

  @Test("Texts are the same only if their bytes are")
  func exactTexts() {
    var random = SeededRandom(seed: RandomCases.seed())
    let texts =
      (0..<300).map { _ in HostileText.draw(using: &random) }
      + ["é", "e\u{301}", "", "éé", "é\u{1}e9\u{1}"]
    for text in texts {
      if text.utf8.first != 0 { #expect(String(exactKey: text.exactKey).isExactly(text)) }
      for other in texts {
        let isSame = Array(text.utf8) == Array(other.utf8)
        #expect(text.isExactly(other) == isSame)
        #expect((text.exactKey == other.exactKey) == isSame)
      }
    }
    #expect(Set(texts.map(\.exactKey)).count == Set(texts.map { Array($0.utf8) }).count)
    #expect("ABC".caselessKey == "aBc".caselessKey && "É".caselessKey != "é".caselessKey)
    #expect("Xé".caselessKey == "xé".caselessKey && "xe\u{301}".caselessKey != "xé".caselessKey)
  }
}
