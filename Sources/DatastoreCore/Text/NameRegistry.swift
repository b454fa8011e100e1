/// Assigned names in one namespace: of tables or columns of a database, or of the columns of a text file. No
/// two differ only in case, or in how their letters are composed: SQL and people would confuse them.
package struct NameRegistry: Hashable, Sendable {
  private var taken: Set<String>
  /// A prefix that names must not have; empty if every beginning is allowed.
  private let reservedPrefix: String
  private let mostBytes: Int?

  package init(
    taken: some Sequence<String> = [], reservedPrefix: String = "", mostBytes: Int? = nil
  ) {
    self.taken = Set(taken.map { $0.lowercased() })
    self.reservedPrefix = reservedPrefix
    self.mostBytes = mostBytes
  }

  /// The name itself, or with a number appended when it is taken. A name that the engine reserves gets an
  /// underscore, and one that is too long for it 8 digits in place of its end.
  package mutating func claim(_ name: String) -> String {
    let isReserved = !reservedPrefix.isEmpty && name.lowercased().hasPrefix(reservedPrefix)
    let name = isReserved ? "_" + name : name
    let most = mostBytes
    return taken.insertFree(
      Self.shortened(name, most), as: { $0.lowercased() },
      numbered: { Self.shortened("\(name)_\($0)", most) })
  }

  private static func shortened(_ name: String, _ mostBytes: Int?) -> String {
    guard let mostBytes, name.utf8.count > mostBytes else { return name }
    let end = "_" + Fingerprint(name).digits.prefix(8)
    var kept = name
    while kept.utf8.count > mostBytes - end.utf8.count { kept.removeLast() }
    return kept + end
  }

  package func contains(_ name: String) -> Bool { taken.contains(name.lowercased()) }
}

extension Set<String> {
  /// Inserts and returns a name, or the first of its numbered ones, from 2, that is free.
  ///
  /// - Parameter key: what is inserted for a name.
  package mutating func insertFree(
    _ name: String, as key: (String) -> String = { $0 }, numbered: (Int) -> String
  ) -> String {
    var (free, number) = (name, 2)
    while !insert(key(free)).inserted { (free, number) = (numbered(number), number + 1) }
    return free
  }
}
