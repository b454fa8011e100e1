import DatastoreCore
import SwiftDatastore

extension Lane {
  static let fileSearch = Lane("file search", .latest)
}

/// What a search of the whole file is bound to.
enum FileSearch {
  /// More rows of one table are not listed.
  static let most = 100
  /// More characters of a cell are not shown.
  fileprivate static let longest = 60
}

extension Effect {
  /// Looks for a text in one entity after the other; ends the search before.
  static func searchFile(_ text: SearchText, _ entities: [EntityIndex]) -> Effect {
    .work { runner in
      runner.perform(in: .fileSearch) { runner in
        for entity in entities {
          if Task.isCancelled { return }
          // A table that cannot be read has nothing that could be found; opening it says why.
          let found = try? await runner.find(text, in: entity)
          if Task.isCancelled { return }
          runner.send(FileSearched(text: text, found: found))
        }
      }
    }
  }

  static var stopSearchingFile: Effect { .work { $0.cancel(.fileSearch) } }
}

/// What was found in one more entity; nil where nothing was.
struct FileSearched: BrowserEvent {
  let text: SearchText
  let found: FileSearchScreen.Found?

  func apply(to state: inout BrowserState) {
    let schema = state.schema
    state.changeOverlay(as: FileSearchScreen.self) { $0.apply(found, of: text, in: schema) }
  }
}

extension EffectRunner {
  fileprivate func find(
    _ text: SearchText, in index: EntityIndex
  ) async throws -> FileSearchScreen.Found? {
    let entity = schema.entities[index]
    // Objects of relationships are found under their own entity.
    let columns = TableColumn.columns(of: entity, in: schema, labels)
      .filter { $0.isSearchable && $0.destination == nil }
    guard !columns.isEmpty else { return nil }
    let keys = try await view.answer(
      MatchingKeysQuestion(
        containing: text.text, text.options, at: columns.map { [$0.name] },
        entity: index, limit: FileSearch.most + 1)
    ).sorted()
    guard !keys.isEmpty else { return nil }
    let objects = try await view.load(entity: index, keys: Array(keys.prefix(FileSearch.most)))
    let names = try await names(entity: index, keys: objects.map { $0.key })
    return FileSearchScreen.Found(
      entity: index,
      rows: objects.compactMap { object in
        let shown = columns.lazy.compactMap { column -> (String, String)? in
          let cell = column.cell(of: object).text
          guard let place = text.range(in: cell) else { return nil }
          return (column.name, Self.excerpt(of: cell, around: place))
        }.first
        guard let (column, excerpt) = shown else { return nil }
        return (
          FileSearchScreen.Hit(object: reference(to: object, as: entity), column: column),
          names[object.key] ?? DisplayName.placeholder(key: object.key), excerpt
        )
      }, hasMore: keys.count > FileSearch.most)
  }

  /// What is around a match.
  private static func excerpt(of text: String, around place: Range<String.Index>) -> String {
    let before = text.distance(from: text.startIndex, to: place.lowerBound)
    guard before > FileSearch.longest / 2 else { return String(text.prefix(FileSearch.longest)) }
    let start = text.index(place.lowerBound, offsetBy: -FileSearch.longest / 3)
    return "…" + text[start...].prefix(FileSearch.longest)
  }
}
