import DatastoreCore
import DatastoreExport

/// The entities of a file with their kinds and their numbers of rows.
struct EntityOverview {
  private let store: any StoreEngine

  init(_ store: any StoreEngine) {
    self.store = store
  }

  /// Writes a row for each entity as soon as it is counted. An entity that cannot be counted has no number,
  /// and is reported on standard error.
  func write(to target: WritingTarget) throws {
    let columns = [
      ExportColumn(name: "entity", type: .string), ExportColumn(name: "kind", type: .string),
      ExportColumn(name: "rows", type: .integer64),
    ]
    var writer = target.makeWriter(columns, table: "entities")
    try writer.begin()
    var faults: [StoreError] = []
    for entity in store.schema.entities {
      let page = RowPage(columnCount: columns.count, rowCapacity: 1)
      let row = page.appendRow(key: 0)
      page.setValue(.text(entity.name), row: row, column: 0)
      page.setValue(
        .text(store.information(about: entity).kind.rawValue), row: row, column: 1)
      do {
        let count = try store.count(DatastoreCore.FetchRequest(entity: entity.name))
        page.setInteger(Int64(count), row: row, column: 2)
      } catch let error as StoreError {
        guard case .unreadable = error else { throw error }
        faults.append(error)
      }
      page.seal()
      try writer.write(page, row: row)
    }
    try writer.end()
    for fault in faults { Message.write(fault.description) }
  }
}
