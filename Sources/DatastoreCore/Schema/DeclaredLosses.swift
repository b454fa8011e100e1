/// Data that a migration may drop.
public struct DeclaredLosses: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// Entities (`Visit`) and properties (`Person.fax`), by their names in the file; nil for everything.
  package let names: Set<String>?

  /// Everything that is missing in the newer version.
  public static let all = DeclaredLosses(names: nil)

  package init(names: Set<String>?) { self.names = names }

  /// Entities (`"Visit"`) and properties (`"Person.fax"`), by their names in the file.
  public init(_ names: some Sequence<String>) { self.init(names: Set(names)) }

  public init(arrayLiteral names: String...) { self.init(names) }
}
