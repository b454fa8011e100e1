/// The first records of a CSV file, from which the reader detects its form. They stay in place, to be read.
enum CSVSample {
  private static let mostRecords = 100
  private static let size = 64 * 1024

  /// The fields as text, invalid records left out. Waits for no more of a pipe than it needs.
  ///
  /// - Throws: `ImportError.inaccessible`.
  static func records(
    of input: ByteInput, _ scanner: CSVScanner
  ) throws -> [[String]] {
    var wanted = 1
    while true {
      try input.fill(atLeast: wanted)
      let isWhole = input.window.count < wanted
      let found = records(in: input, scanner, isWhole: isWhole && input.window.count <= size)
      if isWhole || found.count == mostRecords || input.window.count > size { return found }
      wanted = input.window.count + 1
    }
  }

  private static func records(
    in input: ByteInput, _ scanner: CSVScanner, isWhole: Bool
  ) -> [[String]] {
    let sample = input.window.slice(0..<min(input.window.count, size))
    var scanner = scanner
    var offset = 0
    var records: [[String]] = []
    while offset < sample.count, records.count < mostRecords {
      scanner.reset()
      let rest = sample.slice(offset..<sample.count)
      guard case .complete(let next) = scanner.scan(rest, isAtEnd: isWhole) else { break }
      if scanner.contentEnd > 0, scanner.fault == nil {
        records.append(
          scanner.fields.map { String(decoding: rest.slice($0.content), as: UTF8.self) })
      }
      offset += next
    }
    return records
  }
}
