import Basics
import DatastoreCore

/// The keys of rows in the queried copy of a file, which are not in the file and not written.
struct HiddenKeys {
  private var names: Set<String> = []
  /// The places of the columns to write; nil for all of them.
  private var shown: [Int]?
  private var last: (page: RowPage, part: RowPage)?

  /// None.
  init() {}

  /// The keys that `*` in a statement stands for; none if the statement names a key.
  init(of sql: String, in store: any StoreEngine) {
    let words = Set(
      sql.unicodeScalars.split {
        !$0.properties.isAlphabetic && $0 != "_" && !("0"..."9").contains($0)
      }
      .map { String($0).caselessKey })
    let entities = store.schema.entities
    let keys = Set(entities.compactMap { store.keyColumn(of: $0)?.name.exactKey })
    let namesKey =
      !words.isDisjoint(with: ["rowid", "_rowid_", "oid"])
      || keys.contains { words.contains($0.caselessKey) }
    if !namesKey {
      names = keys.subtracting(entities.flatMap { $0.properties.map(\.name.exactKey) })
    }
  }

  /// The key of an entity without attributes, if a query asks for all columns.
  init(of query: ValueQuery, _ entity: Entity, in store: any StoreEngine) {
    guard query.grouping == nil, query.columns.allSatisfy({ $0.term == .everything }),
      entity.properties.compactMap(\.attribute).isEmpty, let key = store.keyColumn(of: entity)
    else { return }
    names = [key.name.exactKey]
  }

  /// Begins an answer.
  ///
  /// - Returns: its columns without the keys.
  mutating func begin(_ columns: [AnswerColumn]) -> [AnswerColumn] {
    let places = columns.indices.filter { !names.contains(columns[$0].name.exactKey) }
    shown = places.count == columns.count ? nil : places
    return places.map { columns[$0] }
  }

  /// The rows of a page without the keys.
  mutating func part(of page: RowPage) -> RowPage {
    guard let shown, !shown.isEmpty else { return page }
    if let last, last.page === page { return last.part }
    let part = RowPage(columnCount: shown.count, rowCapacity: page.rowCount)
    for row in 0..<page.rowCount {
      part.appendRow(key: page.key(ofRow: row))
      for (place, column) in shown.enumerated() {
        part.copyCell(from: page, row: row, to: row, column: place, source: column)
      }
    }
    part.seal()
    last = (page, part)
    return part
  }
}
