import DatastoreCore

/// The values of a record for a relationship that several columns hold together.
struct ReferenceParts {
  let target: ReferenceTarget
  /// The position of the first of its columns.
  let position: SourcePosition
  /// By the number of their column.
  var values: [Int: Value]

  init(_ target: ReferenceTarget, at position: SourcePosition, values: [Int: Value]) {
    self.target = target
    self.position = position
    self.values = values
  }

  /// The reference that all columns make. With a NULL among them it leads nowhere, as in SQL.
  ///
  /// - Parameter partialKey: the key of a reference that stores values with a NULL among them, if the store
  ///   can keep them.
  /// - Throws: for a record that gives only a part of it, which cannot be stored.
  func joined(
    number: Int, partialKey: (_ values: [Value]) -> RowKey?
  ) throws(LoadFault) -> PreparedRow.Reference {
    let all = target.columns.indices.map { values[$0] ?? .null }
    let missing = all.firstIndex(where: \.isNull)
    let isPartial = missing != nil && all.contains { !$0.isNull }
    let partial = isPartial && values.count == all.count ? partialKey(all) : nil
    if let missing, isPartial, partial == nil {
      let name = target.columns[missing].shownInMessage
      throw LoadFault(
        position,
        "“\(target.link.description.name)” is stored in \(Self.names(target.columns)), and "
          + (values[missing] == nil ? "there is no column “\(name)”" : "“\(name)” has no value"),
        record: number)
    }
    return PreparedRow.Reference(
      target: target, keys: missing == nil ? [KeyValues(all)] : [], isList: false,
      line: position.line, column: position.column, partial: partial)
  }

  /// The columns in a sentence.
  static func names(_ columns: [String]) -> String {
    "the columns " + columns.map { "“\($0.shownInMessage)”" }.joined(separator: " and ")
  }
}
