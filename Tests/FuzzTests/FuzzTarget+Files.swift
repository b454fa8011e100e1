import DatastoreImport

extension FuzzTarget {
  static let csv = FuzzTarget(
    name: "csv",
    seeds: [
      "id,name,age\n1,Ann,3\n2,\"Bob \"\"B\"\"\",\n", "a;b\r\n\"x\ny\";2\r\n;;\r\n",
      "a\tb\tc\r1\t2\r",
      "\u{FEFF}id,größe\n1,\"日本\"\n\n2,3,4\n\"open", "only\n\n1\n", "id,id\n1,2\n",
      "a\tb\nD. \"Dougie\" P.\t5\"\n\"x\" y\t\"z\"\n", "a,b\n1,\"open\n2,\"x,y\"z\n3,\"q\nr\"\n",
    ],
    words: [
      ",", ";", "\t", "\"", "\"\"", "\n", "\r\n", "\r", " ", "\u{FEFF}", "a", "1", "NULL", "\0",
      "é",
    ],
    check: { bytes in
      var readings: [[String]] = []
      for size in [1, 7, 64 * 1_024] {
        readings.append(
          outcomes(lines: lines(bytes)) {
            try CSVReader(ByteInput(bytes, name: "t.csv", chunkSize: size))
          })
      }
      return compare(readings) + compare([1, 7, 64 * 1_024].map { lenient(bytes, chunkSize: $0) })
    })

  /// The rows of a CSV file for a reader that only looks: no record may be left out.
  private static func lenient(_ bytes: [UInt8], chunkSize: Int) -> [String] {
    var options = CSVReader.Options()
    options.keepsIrregular = true
    options.repairsHeader = true
    return outcomes(lines: lines(bytes)) {
      try CSVReader(ByteInput(bytes, name: "t.csv", chunkSize: chunkSize), options: options)
    }.map { result in
      let isFile = !result.contains("the file is empty") && !result.contains("the file is UTF-16")
      return result.hasPrefix("t.csv, line") && isFile ? "!left out: \(result)" : result
    }
  }

  static let json = FuzzTarget(
    name: "json",
    seeds: jsonSeeds, words: jsonWords,
    check: { bytes in
      compare(
        [1, 7, 64 * 1_024].map { size in
          outcomes(lines: lines(bytes)) {
            try JSONReader(ByteInput(bytes, name: "t.json", chunkSize: size), layout: .document)
          }
        })
        + compare(
          [1, 64 * 1_024].map { size in
            var options = JSONReader.Options()
            options.keepsIrregular = true
            return outcomes(lines: lines(bytes)) {
              try JSONReader(
                ByteInput(bytes, name: "t.json", chunkSize: size), layout: .lines, options: options)
            }
          })
    })

  static let jsonLines = FuzzTarget(
    name: "json lines",
    seeds: jsonSeeds, words: jsonWords,
    check: { bytes in
      compare(
        [1, 7, 64 * 1_024].map { size in
          outcomes(lines: lines(bytes)) {
            try JSONReader(ByteInput(bytes, name: "t.jsonl", chunkSize: size), layout: .lines)
          }
        })
    })

  private static let jsonSeeds = [
    "[{\"id\": 1, \"name\": \"Ann\"}, {\"id\": 2, \"tags\": [1, null, true, {\"x\": -1.5e3}]}]",
    "{\"a\": \"\\u00e9\\ud83d\\ude00\\n\"}\n{\"a\": 12345678901234567890}\n\n{\"b\": false}\n",
    "{\"id\":1}{\"id\":2}", "{\"A\":1,\"a\":2,\"a\":3,\"\":\"\\ud83d\"}", "[]", "[{\"a\":1},]",
    "{\"a\":{\"b\":{\"c\":[[[[]]]]}}}",
  ]

  private static let jsonWords = [
    "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\ude00", "\n", " ", "\"a\":", "1",
    "-", "e", "E+",
    "0", ".5", "null", "true", "false", "tru", "\u{FEFF}", "\0", "é", "{\"a\":", "[[[[[[[[",
    "]]]]]]]]",
  ]

  /// Lines as the readers count them: LF, CRLF and CR end one.
  private static func lines(_ bytes: [UInt8]) -> Int {
    var count = 1
    for (index, byte) in bytes.enumerated() {
      if byte == 13 || byte == 10 && (index == 0 || bytes[index - 1] != 13) { count += 1 }
    }
    return count
  }

  /// The results of reading a file, record by record; a broken rule begins with `!`.
  private static func outcomes(
    lines: Int, _ makeReader: () throws -> any RecordReader
  ) -> [String] {
    var results: [String] = []
    do {
      var reader = try makeReader()
      while true {
        // Each record or fault needs a byte at least.
        if results.count > 100_000 { return ["!reading does not end"] }
        do {
          guard let record = try reader.next() else { return results }
          results.append("\(record.fields)")
        } catch let error as ImportError {
          results += describe(error, lines: lines)
        }
      }
    } catch let error as ImportError {
      results += describe(error, lines: lines)
    } catch {
      results.append("!an error of another kind: \(error)")
    }
    return results
  }

  private static func describe(_ error: ImportError, lines: Int) -> [String] {
    switch error {
    case .malformed(let position, _), .unreadable(let position, _):
      let isInside = (1...lines).contains(position.line) && position.column > 0
      return isInside ? [error.description] : ["!an error at \(position), of \(lines) lines"]
    default: return ["!\(error)"]
    }
  }

  private static func compare(_ readings: [[String]]) -> [String] {
    var broken = readings.joined().filter { $0.hasPrefix("!") }
    if readings.contains(where: { $0 != readings[0] }) {
      broken.append("what is read depends on the size of the pieces it comes in")
    }
    return broken
  }
}
