#if PostgreSQL
import DatastoreCore
import Foundation

extension StoreError {
  /// The error with the object of a save that the server has refused, as far as it can be determined: a
  /// server says which values it has refused, not whose they are, since rows are sent together.
  ///
  /// - Parameter failure: the server's answer.
  func naming(rowOf changes: ChangeSet, in schema: Schema, _ failure: PostgreSQLFailure)
    -> StoreError
  {
    switch self {
    case .notUnique(let name, let properties, nil):
      let rows = changes.rows(writing: properties, of: name, in: schema)
      // “Key (email)=(a@b.c) already exists.”
      let detail = failure.detail ?? ""
      let said = detail.firstRange(of: ")=(").map { detail[$0.upperBound...] } ?? ""
      let equal = rows.filter { row in
        row.writtenTexts.map { said.utf8.starts(with: "\($0.joined(separator: ", ")))".utf8) }
          ?? false
      }
      // Of two new ones, the later one has met the other; if values are written differently, there may be
      // only one.
      let row = equal.last ?? (rows.count == 1 ? rows.first : nil)
      return .notUnique(entity: name, properties: properties, key: row?.key)
    case .missingValue(let name, let property, nil):
      let row = changes.rows(writing: [property], of: name, in: schema).first {
        $0.values.contains(.null)
      }
      return .missingValue(entity: name, property: property, key: row?.key)
    default: return self
    }
  }
}

/// The values that a save writes into some properties of a row.
private struct WrittenValues {
  let key: RowKey
  let values: [Value]

  /// The values as PostgreSQL writes them; nil if the text of one may differ.
  var writtenTexts: [String]? {
    let texts = values.compactMap { value -> String? in
      switch value {
      case .integer(let integer): String(integer)
      case .text(let text): text
      case .blob(let data): UUID(bytes: data)?.uuidString.lowercased()
      case .real, .null: nil
      }
    }
    return texts.count == values.count ? texts : nil
  }
}

extension ChangeSet {
  /// The rows of an entity, and of those that inherit from it, of which properties are written, in the order
  /// of the save.
  fileprivate func rows(
    writing properties: [String], of name: String, in schema: Schema
  ) -> [WrittenValues] {
    guard let owner = schema.entity(named: name) else { return [] }
    var rows: [WrittenValues] = []
    for change in entities where schema.entities[change.entity].isKind(of: owner) {
      let entity = schema.entities[change.entity]
      let slots = properties.compactMap { entity.slot(named: $0) }
      if slots.isEmpty { continue }
      for update in change.updated where slots.contains(where: update.slots.contains) {
        let values = slots.map { slot in
          update.slots.contains(slot)
            ? update.page.value(row: update.row, slot: slot)
            : update.original.value(row: update.originalRow, slot: slot)
        }
        rows.append(WrittenValues(key: update.key, values: values))
      }
      for page in change.inserted {
        for row in 0..<page.rowCount {
          let values = slots.map { page.value(row: row, slot: $0) }
          rows.append(WrittenValues(key: page.key(ofRow: row), values: values))
        }
      }
    }
    return rows
  }
}
extension StoreError {
  /// The end of a sentence that says that a row was not deleted.
  static let keptRow =
    "a row was to be deleted, and a trigger or row security of the table kept it"
}
#endif
