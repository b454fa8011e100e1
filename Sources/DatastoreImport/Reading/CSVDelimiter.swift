/// Tells the delimiter of a CSV file from its first lines.
enum CSVDelimiter {
  /// The bytes that may stand between fields, the likeliest first.
  static let candidates = [Byte.comma, Byte.semicolon, Byte.tab, Byte.bar]

  private static let sampleRecords = 10
  private static let sampleSize = 64 * 1024

  /// The delimiter that splits the first lines most evenly; a comma if none splits the header row.
  ///
  /// Of several that give each line as many fields as the header row, the one with most fields
  /// wins.
  ///
  /// - Throws: `ImportError.inaccessible`.
  static func detect(in input: ByteInput) throws -> UInt8 {
    // What is looked at must not depend on how many bytes a chunk has.
    try input.fill(atLeast: sampleSize + 1)
    let isWhole = input.window.count <= sampleSize
    let sample = input.window.slice(0..<min(input.window.count, sampleSize))
    return candidates.map { (delimiter: $0, score: score($0, sample, isWhole: isWhole)) }
      .reduce((delimiter: Byte.comma, score: 0)) { $1.score > $0.score ? $1 : $0 }
      .delimiter
  }

  /// 0 if the header row has just one field.
  private static func score(
    _ delimiter: UInt8, _ sample: UnsafeBufferPointer<UInt8>, isWhole: Bool
  ) -> Double {
    var scanner = CSVScanner(delimiter: delimiter)
    var offset = 0
    var counts: [Int] = []
    while offset < sample.count, counts.count < sampleRecords {
      scanner.reset()
      let rest = sample.slice(offset..<sample.count)
      // The sample's last record may be cut; it is judged only if there is no other.
      let isLast = isWhole || counts.isEmpty
      guard case .complete(let next) = scanner.scan(rest, isAtEnd: isLast) else { break }
      if scanner.contentEnd > 0 { counts.append(scanner.fault == nil ? scanner.fields.count : 0) }
      offset += next
    }
    guard let header = counts.first, header > 1 else { return 0 }
    let even = counts.count { $0 == header }
    return Double(even) / Double(counts.count) * 1000 + Double(header)
  }
}
