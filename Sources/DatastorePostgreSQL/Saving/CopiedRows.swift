#if PostgreSQL
import Basics
import DatastoreCore
import DatastoreSQL
import Foundation

/// New rows of an entity to be copied into its table by COPY, which costs the server and the network least.
struct CopiedRows: ServerFields {
  let entity: EntityIndex
  private let mapping: SchemaMapping
  private let columns: [ServerColumn]
  /// The attribute that is the key, if rows may set their own key.
  private let keySlot: Slot?
  private let keyForm: ServerForm
  private let discriminator: [UInt8]?
  var bytes: [UInt8] = Self.header
  /// The keys of the rows, in their order.
  private(set) var keys: [RowKey] = []
  /// Rows whose stored values will differ from those that were sent.
  private(set) var stale: [RowKey] = []

  /// A signature, flags, and the length of an empty extension.
  static let header: [UInt8] =
    Array("PGCOPY\n".utf8) + [255, 13, 10, 0] + [UInt8](repeating: 0, count: 8)

  /// Bytes that are sent at once, so that the server's refusals arrive soon, and memory does not grow with
  /// the rows.
  static let portion = 1 << 22

  /// - Parameter table: the table as the database declares it; nil for native tables.
  /// - Returns: nil for a table that COPY does not fill as INSERT does: one without a numeric key, with
  ///   triggers or rules of its own, with columns that the server fills in, or of types that are written as
  ///   text.
  init?(_ mapping: SchemaMapping, _ entity: EntityIndex, _ table: ServerTable?) {
    self.mapping = mapping
    self.entity = entity
    let mapped = mapping.entities[entity]
    keySlot = mapping.isNative ? nil : mapped.keySlot
    discriminator = mapped.family.map { _ in Array(mapping.schema.entities[entity].name.utf8) }
    if mapping.isNative {
      columns = mapped.slots.indices.compactMap { ServerColumn(mapping, entity, $0) }
      keyForm = .key
      return
    }
    guard case .rowid(let name) = mapped.key, let table, table.relation == .table,
      !table.hasTriggers, let key = table.column(name),
      let form = ServerForm(copyingKeyOf: key.type)
    else { return nil }
    keyForm = form
    var columns: [ServerColumn] = []
    for slot in mapped.slots.indices where slot != mapped.keySlot {
      var type: SQLType?
      if case .attribute(let column) = mapped.slots[slot] {
        if column.hasComputedDefault { return nil }
        type = column.type
      }
      for column in ServerColumn.all(mapping, entity, slot) {
        guard let column = column.copied(type) else { return nil }
        columns.append(column)
      }
    }
    self.columns = columns
  }

  mutating func countField(isNull: Bool) {}

  var isFull: Bool { bytes.count >= Self.portion }

  /// - Returns: the keys that rows set themselves, by their provisional keys.
  /// - Throws: `StoreError.refused` for a value that no column of its type holds.
  mutating func append(_ page: RowPage) throws -> [RowKey: RowKey] {
    var rekeyed: [RowKey: RowKey] = [:]
    let fieldCount = Int16(columns.count + (discriminator == nil ? 1 : 2))
    for row in 0..<page.rowCount {
      var key = page.key(ofRow: row)
      if let keySlot, page.tag(row: row, slot: keySlot) == .integer {
        let given = page.key(row: row, slot: keySlot)
        if given != key { rekeyed[key] = given }
        key = given
      }
      put(fieldCount)
      do {
        _ = try keyForm.append(.integer(key.rawValue), to: &self)
      } catch {
        throw StoreError.refused(
          entity: mapping.schema.entities[entity].name, key: key, detail: "its key \(error.detail)")
      }
      if let discriminator { append(utf8: discriminator) }
      var isExact = true
      for column in columns {
        do {
          if try !column.append(page, row, to: &self) { isExact = false }
        } catch {
          throw StoreError(error, column, of: mapping.schema.entities[entity], key)
        }
      }
      keys.append(key)
      if !isExact { stale.append(key) }
    }
    return rekeyed
  }

  /// Forgets the rows.
  mutating func removeAll() {
    bytes.removeLast(bytes.count - Self.header.count)
    keys.removeAll(keepingCapacity: true)
    stale = []
  }

  var statement: String {
    let mapped = mapping.entities[entity]
    guard case .rowid(let key) = mapped.key else {
      trap("rows are copied into tables with integer keys")
    }
    var names = ["\(name: key)" as SQLFragment]
    if let family = mapped.family { names.append("\(name: family.discriminator)") }
    names += columns.map { "\(name: $0.name)" }
    let sql: SQLFragment = """
      COPY \(mapped.qualifiedTable) (\(names.joined(by: ", "))) FROM STDIN (FORMAT binary)
      """
    return sql.rendered(in: mapping.dialect).text
  }

  /// The bytes to send: the rows, and the end mark.
  var message: [UInt8] { bytes + Self.end }

  static let end: [UInt8] = [255, 255]

  /// The key of the row that the server has refused; nil if it does not say.
  func key(in failure: PostgreSQLFailure) -> RowKey? {
    // “COPY Employee, line 3, column age”, in any language.
    let table = mapping.entities[entity].table
    guard let context = failure.context, let name = context.range(of: table) else { return nil }
    let digits = context[name.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
    guard let line = Int(digits), keys.indices.contains(line - 1) else { return nil }
    return keys[line - 1]
  }
}

extension StoreError {
  /// A value that no column holds, with the names of the object and its property.
  init(_ error: Unstorable, _ column: ServerColumn, of entity: Entity, _ key: RowKey) {
    self = .refused(
      entity: entity.name, key: key,
      detail: "its “\(entity.properties[column.slot].name)” \(error.detail)")
  }
}
#endif
