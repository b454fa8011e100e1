/// Keys that stand for a stored reference which leads to no row and is not a key either, such as a text.
///
/// They are numbers that no file uses for its rows: the least of all. An object looked for by one is not
/// there, as with a number whose row is gone, and what is stored is known all the same.
package enum DanglingKey {
  /// The numbers that are given out one after the other.
  package static let range = RowKey(.min)..<RowKey(.min + 1 << 40)

  /// Whether a key stands for a reference that leads nowhere.
  package static func isOne(_ key: RowKey) -> Bool { key < range.upperBound }
}
