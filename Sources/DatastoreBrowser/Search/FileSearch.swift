import DatastoreCore
import SwiftDatastore

/// A search for a text in one entity after the other, row by row.
@MainActor
private final class FileSearch {
  /// A row that shows the text.
  struct Hit: Sendable {
    let object: ObjectReference
    /// The name of the column.
    let column: String
  }

  private let runner: EffectRunner
  private let text: SearchText
  private var entities: ArraySlice<EntityIndex>
  /// The matches in the current entity that have not been reported.
  private var keys: ArraySlice<RowKey> = []
  private var entity: EntityIndex?
  /// The matches so far, in the order in which they were reported.
  let hits = Lock<[Hit]>([])

  /// The number of rows that are reported at once.
  private static let portion = 500
  /// The most characters of a cell that are shown.
  private static let longest = 60

  init(_ text: SearchText, in entities: [EntityIndex], _ runner: EffectRunner) {
    self.text = text
    self.runner = runner
    self.entities = entities[...]
  }

  /// The next rows; nil at the end.
  ///
  /// - Throws: `CancellationError`, and errors of loading rows.
  func next() async throws -> [[Value]]? {
    while true {
      try Task.checkCancellation()
      if let entity, !keys.isEmpty {
        let portion = Array(keys.prefix(Self.portion))
        keys = keys.dropFirst(portion.count)
        let rows = try await rows(of: portion, entity)
        if !rows.isEmpty { return rows }
      } else if let next = entities.popFirst() {
        entity = next
        // A table that cannot be read has no matches; opening it shows the error.
        keys = ((try? await matchingKeys(in: next)) ?? [])[...]
      } else {
        return nil
      }
    }
  }

  /// The columns to search. Related objects are found under their own entity.
  private func columns(of index: EntityIndex) -> [TableColumn] {
    TableColumn.columns(of: runner.schema.entities[index], in: runner.schema, runner.labels)
      .filter { $0.isSearchable && $0.destination == nil }
  }

  private func matchingKeys(in index: EntityIndex) async throws -> [RowKey] {
    let columns = columns(of: index)
    guard !columns.isEmpty else { return [] }
    return try await runner.view.answer(
      MatchingKeysQuestion(
        containing: text.text, text.options, at: columns.map { [$0.name] }, entity: index)
    ).sorted()
  }

  private func rows(of keys: [RowKey], _ index: EntityIndex) async throws -> [[Value]] {
    let entity = runner.schema.entities[index]
    let columns = columns(of: index)
    let objects = try await runner.view.load(entity: index, keys: keys)
    let names = try await runner.names(entity: index, keys: objects.map { $0.key })
    return objects.compactMap { object in
      let shown = columns.lazy.compactMap { column -> (String, String)? in
        let cell = column.cell(of: object).text
        guard let place = self.text.range(in: cell) else { return nil }
        return (column.name, Self.excerpt(of: cell, around: place))
      }.first
      guard let (column, excerpt) = shown else { return nil }
      let hit = Hit(object: runner.reference(to: object, as: entity), column: column)
      hits.withLock { $0.append(hit) }
      return [
        .text(entity.name), .text(names[object.key] ?? DisplayName.placeholder(key: object.key)),
        .text(column), .text(excerpt),
      ]
    }
  }

  /// The text around a match.
  private static func excerpt(of text: String, around place: Range<String.Index>) -> String {
    let before = text.distance(from: text.startIndex, to: place.lowerBound)
    guard before > longest / 2 else { return String(text.prefix(longest)) }
    let start = text.index(place.lowerBound, offsetBy: -longest / 3)
    return "…" + text[start...].prefix(longest)
  }
}

extension BrowserState {
  /// Opens a table of all rows of the file that show a text; with an empty text, asks for one.
  mutating func openFileSearch(for text: String) {
    guard let table else { return }
    guard !text.isEmpty else { return open(SearchPrompt(table, reach: .file)) }
    // The shown entity is searched first.
    let shown = table.query.entity
    let all = schema.entities.map(\.index).filter { schema.entities[$0].parent == nil }
    let order = all.filter { $0 == shown } + all.filter { $0 != shown }
    let searched = SearchText(text)
    openDerivedTable(
      titled: "“\(text)” in \(storeName)", "what was found", entity: "found"
    ) { _ in
      { runner, _, _ in
        let search = FileSearch(searched, in: order, runner)
        guard let first = try await search.next() else {
          throw DerivedTableFault(description: "“\(text)” is nowhere in this file.")
        }
        return DerivedRows(
          columns: ["entity", "object", "column", "text"].map { .text($0) }, rows: first,
          enter: .goToObject,
          lead: { [hits = search.hits] rows, _ in
            guard let first = rows.first else { return nil }
            let hit = hits.withLock { $0[first] }
            return { $0.goTo(hit.object, column: hit.column, of: searched) }
          },
          rest: { put in
            while let more = try await search.next() {
              guard await put(more) else { return }
            }
          })
      }
    }
  }

  /// Goes to a row that was found, and continues the search there.
  private mutating func goTo(_ object: ObjectReference, column name: String, of text: SearchText) {
    follow(to: object)
    focus = .table
    if let column = table?.columns.firstIndex(where: { $0.name == name }) {
      table?.column = column
      table?.search = TableSearch(reach: .table, columns: [column], text: text)
    }
  }
}
