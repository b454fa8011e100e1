/// Whether the first record of a CSV file names the columns.
package enum CSVHeader: Sendable {
  case present, absent
  /// To be told from the first records.
  case detect

  private static let sampleRecords = 100
  private static let sampleSize = 64 * 1024

  /// Looks at the first records of a file, which stay where they are.
  ///
  /// The first record is none but data if it has a number, date or the like where all the records
  /// below have one of the same kind, and no name where they have. Years count as names, since tables
  /// have them as columns.
  ///
  /// - Throws: `ImportError.inaccessible`.
  static func isPresent(in input: ByteInput, delimiter: UInt8) throws -> Bool {
    let records = try firstRecords(of: input, delimiter)
    guard let first = records.first, records.count > 1 else { return true }
    var isData = false
    for (index, cell) in first.enumerated() {
      let below = records.dropFirst().compactMap { index < $0.count ? $0[index] : nil }
        .filter { !$0.isEmpty }
      guard !below.isEmpty,
        let type = ColumnTypeInference.type(of: below.map(ImportValue.text)), type != .string
      else { continue }
      let own = ColumnTypeInference.type(of: [.text(cell)])
      // A first record may lack a value; names do not.
      if own == nil { continue }
      guard own == type || own == .integer && type == .double else { return true }
      if own == .integer, let year = Int(cell), (1800...2200).contains(year) { continue }
      isData = true
    }
    return !isData
  }

  /// Gives names to columns that have none, or one that differs from another in case only.
  ///
  /// - Returns: what was done, as parts of sentences.
  static func repair(_ names: inout [String]) -> [String] {
    var notes: [String] = []
    var taken = Set(names.map { $0.lowercased() })
    var seen: Set<String> = []
    for (index, name) in names.enumerated() {
      if !name.isEmpty, seen.insert(name.lowercased()).inserted { continue }
      let stem = name.isEmpty ? "column" : name
      var number = name.isEmpty ? index + 1 : 2
      while !taken.insert("\(stem)_\(number)".lowercased()).inserted { number += 1 }
      names[index] = "\(stem)_\(number)"
      seen.insert(names[index].lowercased())
      let reason = name.isEmpty ? "has no name" : "has the name of another"
      notes.append("column \(index + 1) \(reason) and is called “\(names[index].shownInMessage)”")
    }
    return notes
  }

  private static func firstRecords(
    of input: ByteInput, _ delimiter: UInt8
  ) throws -> [[String]] {
    try input.fill(atLeast: sampleSize + 1)
    let isWhole = input.window.count <= sampleSize
    let sample = input.window.slice(0..<min(input.window.count, sampleSize))
    var scanner = CSVScanner(delimiter: delimiter)
    var offset = 0
    var records: [[String]] = []
    while offset < sample.count, records.count < sampleRecords {
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
