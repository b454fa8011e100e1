import DatastoreCore

/// Which attribute names an object to a person.
enum DisplayName {
  private static let preferred = [
    "name", "fullname", "full_name", "title", "label", "displayname", "display_name", "surname",
    "lastname", "last_name", "caption", "subject", "code", "email",
  ]

  /// The slot of the attribute that names objects of an entity: one that is called so, else the
  /// first text; nil when there is no text at all.
  static func slot(of entity: Entity) -> Slot? {
    var best: (rank: Int, slot: Slot)?
    for (slot, property) in zip(entity.slots, entity.properties) {
      guard let attribute = property.attribute,
        attribute.type == .string || attribute.type == .undefined
      else { continue }
      let rank = preferred.firstIndex(of: attribute.name.lowercased()) ?? preferred.count
      guard attribute.type == .string || rank < preferred.count else { continue }
      if best.map({ rank < $0.rank }) ?? true { best = (rank, slot) }
    }
    return best?.slot
  }

  /// The name of an object: the value of its naming attribute, else its key.
  static func name(_ value: Value, key: RowKey) -> String {
    switch value {
    case .text(let text) where !text.isEmpty:
      String(String.UnicodeScalarView(text.unicodeScalars.prefix(CellContent.limit)))
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    default: placeholder(key: key)
    }
  }

  /// What stands for an object without a name, or while it is not known.
  static func placeholder(key: RowKey) -> String { DanglingKey.isOne(key) ? "…" : "#\(key)" }
}
