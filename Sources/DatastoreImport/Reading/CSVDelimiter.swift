/// Detects the delimiter of a CSV file from its first lines.
enum CSVDelimiter {
  /// The bytes that may separate fields, the likeliest first.
  static let candidates = [Byte.comma, Byte.semicolon, Byte.tab, Byte.bar]

  private static let sampleRecords = 10
  private static let sampleSize = 64 * 1024

  /// How a delimiter splits the first records.
  private struct Split {
    let delimiter: UInt8
    /// The number of fields of each record; 0 for an invalid one.
    let counts: [Int]

    private var header: Int { counts.first ?? 0 }
    private var even: Int { counts.count { $0 == header } }

    /// 0 if the first record has just one field.
    var score: Double {
      header > 1 ? Double(even) / Double(counts.count) * 1000 + Double(header) : 0
    }

    var reason: String {
      if score == 0 { return "no other splits the first record" }
      let records = counts.count == 1 ? "the only record" : "the first \(counts.count) records"
      return counts.count == 1
        ? "\(records) has \(header) fields"
        : even == counts.count
          ? "each of \(records) has \(header) fields"
          : "\(even) of \(records) have \(header) fields"
    }
  }

  struct Found {
    let delimiter: UInt8
    /// The reason; nil if the delimiter was given.
    let reason: String?
    /// The reason why quotes are ordinary characters; nil if they enclose fields, or if that was given.
    let plainQuotes: String?
  }

  /// The delimiter that is given, or that splits the first lines most evenly; a comma if none splits the
  /// first record. The result includes whether quotes enclose fields.
  ///
  /// Among several that give each line as many fields as the first record, the one with most fields wins.
  ///
  /// - Throws: `ImportError.inaccessible`.
  static func detect(in input: ByteInput, _ options: CSVReader.Options) throws -> Found {
    if let given = options.delimiter, options.quotes != nil || given != Byte.tab {
      return Found(delimiter: given, reason: options.delimiterReason, plainQuotes: nil)
    }
    // The decision must not depend on the size of a chunk.
    try input.fill(atLeast: sampleSize + 1)
    let isWhole = input.window.count <= sampleSize
    let sample = input.window.slice(0..<min(input.window.count, sampleSize))
    let plainQuotes =
      options.quotes == nil
      ? CSVQuoting.plainReason(in: sample, comment: options.comment, isWhole: isWhole) : nil
    if let given = options.delimiter {
      return Found(delimiter: given, reason: options.delimiterReason, plainQuotes: plainQuotes)
    }
    let splits = candidates.map { delimiter in
      let hasQuotes = options.quotes ?? (delimiter != Byte.tab || plainQuotes == nil)
      return split(
        CSVScanner(delimiter: delimiter, hasQuotes: hasQuotes, comment: options.comment), sample,
        isWhole: isWhole)
    }
    let best = splits.dropFirst().reduce(splits[0]) { $1.score > $0.score ? $1 : $0 }
    return Found(
      delimiter: best.delimiter, reason: best.reason,
      plainQuotes: best.delimiter == Byte.tab ? plainQuotes : nil)
  }

  private static func split(
    _ scanner: CSVScanner, _ sample: UnsafeBufferPointer<UInt8>, isWhole: Bool
  ) -> Split {
    var scanner = scanner
    var offset = 0
    var counts: [Int] = []
    while offset < sample.count, counts.count < sampleRecords {
      scanner.reset()
      let rest = sample.slice(offset..<sample.count)
      // The sample's last record may be cut; it counts only if there is no other.
      let isLast = isWhole || counts.isEmpty
      guard case .complete(let next) = scanner.scan(rest, isAtEnd: isLast) else { break }
      if scanner.contentEnd > 0 { counts.append(scanner.fault == nil ? scanner.fields.count : 0) }
      offset += next
    }
    return Split(delimiter: scanner.delimiter, counts: counts)
  }
}

extension CSVReader {
  /// The name of a delimiter for users.
  package static func name(ofDelimiter byte: UInt8) -> String {
    switch byte {
    case Byte.comma: "comma"
    case Byte.semicolon: "semicolon"
    case Byte.tab: "tab"
    case Byte.bar: "bar |"
    case Byte.colon: "colon"
    case Byte.space: "space"
    default: String(Unicode.Scalar(byte))
    }
  }
}
