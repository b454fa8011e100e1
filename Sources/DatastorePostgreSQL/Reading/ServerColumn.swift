#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL

/// A column that saving writes, and the source of its values.
struct ServerColumn {
  let name: String
  let slot: Slot
  let form: ServerForm
  let source: Source

  enum Source {
    /// The cell of the slot.
    case cell
    /// The key of the row that the relationship of the slot leads to.
    case key(of: EntityIndex)
    /// One of the values that such a key stands for.
    case part(Int, ofKeyOf: EntityIndex)
    /// The value of another column of that row, with this name.
    case value(of: String, in: EntityIndex)
  }

  /// The columns of an attribute or a to-one relationship; none for other slots, and for columns that the
  /// server computes.
  static func all(
    _ mapping: SchemaMapping, _ entity: EntityIndex, _ slot: Slot
  ) -> [ServerColumn] {
    switch mapping.entities[entity].slots[slot] {
    case .attribute(let column):
      guard !column.isGenerated,
        let attribute = mapping.schema.entities[entity].properties[slot].attribute
      else { return [] }
      let form =
        mapping.isNative
        ? ServerForm(storing: attribute.type) : ServerForm(column.type, attribute: attribute.type)
      return [ServerColumn(name: column.name, slot: slot, form: form, source: .cell)]
    case .toOne(let foreign):
      guard foreign.isWritable else { return [] }
      let destination = foreign.destination
      return foreign.columns.enumerated().map { index, column in
        switch foreign.reference {
        case .rowid:
          ServerColumn(
            name: column.name, slot: slot, form: .key, source: .key(of: destination))
        case .primaryKey:
          ServerColumn(
            name: column.name, slot: slot, form: ServerForm(column.type),
            source: .part(index, ofKeyOf: destination))
        case .columns(let names):
          ServerColumn(
            name: column.name, slot: slot, form: .key,
            source: .value(of: names[index], in: destination))
        }
      }
    case .toManyForeignKey, .toManyJoin: return []
    }
  }

  /// The one column of a slot in a native table; nil for slots that have none.
  init?(_ mapping: SchemaMapping, _ entity: EntityIndex, _ slot: Slot) {
    guard let column = Self.all(mapping, entity, slot).first else { return nil }
    self = column
  }

  private init(name: String, slot: Slot, form: ServerForm, source: Source) {
    self.name = name
    self.slot = slot
    self.form = form
    self.source = source
  }

  /// The column as COPY fills it, without casts; nil if COPY cannot fill it.
  func copied(_ type: SQLType?) -> ServerColumn? {
    guard case .cell = source else { return nil }
    if form.cast == nil { return self }
    guard type?.kind == .day else { return nil }
    return ServerColumn(
      name: name, slot: slot, form: ServerForm(copying: .calendarDate), source: source)
  }

  /// The type of its values in a message.
  var type: PostgreSQLType { form.element }

  /// Puts a cell into an array of the column's type, or into a row.
  ///
  /// - Returns: whether the server will hold exactly that value; false if it keeps fewer digits.
  /// - Throws: `Unstorable` with the end of a sentence.
  func append(
    _ page: RowPage, _ row: Int, to fields: inout some ServerFields
  ) throws(Unstorable) -> Bool {
    try form.append(page, row, slot, to: &fields)
  }

  /// The value of a column: an element, or a value of the row it leads to.
  func value(_ element: SQLFragment, _ mapping: SchemaMapping) -> SQLFragment {
    switch source {
    case .cell, .key, .part: return form.value(element)
    case .value(let name, let destination):
      guard case .rowid(let key) = mapping.entities[destination].key else {
        trap("rows are followed by other columns where their key is a number")
      }
      return """
        (SELECT target.\(name: name) FROM \(mapping.entities[destination].qualifiedTable) AS target \
        WHERE target.\(name: key) = \(element))
        """
    }
  }

  /// Whether a slot is stored in columns that saving writes.
  static func isStored(_ mapping: SchemaMapping, _ entity: EntityIndex, _ slot: Slot) -> Bool {
    !all(mapping, entity, slot).isEmpty
  }
}
#endif
