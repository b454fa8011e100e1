/// Names of columns, of which no two differ in case, or in how their letters are composed, only: SQL and people would
/// take them for one.
struct ColumnNames: Hashable, Sendable {
  private var taken: Set<String>

  init(_ names: some Sequence<String> = []) {
    taken = Set(names.lazy.map { $0.lowercased() })
  }

  /// The name itself, or with a number after it when another column has it.
  mutating func claim(_ name: String) -> String {
    var candidate = name
    var number = 2
    while !taken.insert(candidate.lowercased()).inserted {
      candidate = "\(name)_\(number)"
      number += 1
    }
    return candidate
  }
}
