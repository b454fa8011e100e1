import DatastoreCore

/// Whether the first record of a CSV file names the columns.
package enum CSVHeader: Sendable {
  case present, absent
  /// Detected from the first records.
  case detect

  /// The name itself, or with a number appended if a column has it already.
  static func freeName(_ name: String, beside columns: [String]) -> String {
    var names = NameRegistry(taken: columns)
    return names.claim(name)
  }

  /// Gives names to columns that have none, or one that differs from another in case only.
  ///
  /// - Returns: the changes, as parts of sentences.
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
