/// Whether the first record of a CSV file names the columns.
package enum CSVHeader: Sendable {
  case present, absent
  /// To be told from the first records.
  case detect

  /// Looks at the first records of a file.
  ///
  /// The first record is none but data if it has a number, date or the like where all the records
  /// below have one of the same kind, and no name where they have. Years count as names, since tables
  /// have them as columns.
  static func isPresent(in records: [[String]], _ decimalMark: DecimalMark) -> Bool {
    guard let first = records.first, records.count > 1 else { return true }
    func typeOf(_ cells: [String]) -> ColumnType? {
      ColumnTypeInference.type(of: cells.lazy.map(ImportValue.text), decimalMark)
    }
    var isData = false
    for (index, cell) in first.enumerated() {
      let below = records.dropFirst().compactMap { index < $0.count ? $0[index] : nil }
        .filter { !$0.isEmpty }
      guard !below.isEmpty, let type = typeOf(below), type != .string else { continue }
      let own = typeOf([cell])
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
}
