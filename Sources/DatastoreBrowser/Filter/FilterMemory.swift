import DatastoreCore

/// A filter with a name.
struct SavedFilter: Hashable, Sendable {
  var entity: String
  var name: String
  /// The condition in the predicate format language.
  var text: String
  /// The path of the only file that the filter is for; nil for every file with such an entity.
  var file: String?

  /// Whether saving the filter replaces another one.
  func replaces(_ other: SavedFilter) -> Bool {
    (entity, name, file) == (other.entity, other.name, other.file)
  }
}

/// The history of filters, and the saved ones.
struct FilterMemory: FeatureState {
  /// The history by entity, with the latest filter last.
  private(set) var history: [String: [String]] = [:]
  private(set) var saved: [SavedFilter] = []
  /// The path of the shown file.
  var file: String?

  /// The most filters of an entity that the history keeps.
  static let capacity = 100

  mutating func record(_ text: String, entity: String) {
    history[entity] = Self.adding(text, to: history[entity] ?? [])
  }

  /// A history with one more text; an earlier copy of the text is removed.
  static func adding(_ text: String, to history: [String]) -> [String] {
    (history.filter { $0 != text } + [text]).suffix(capacity)
  }

  /// Applies the history of earlier runs; the filters used since then come after it.
  mutating func apply(_ read: [String: [String]]) {
    var merged = read
    for (entity, texts) in history {
      merged[entity] = texts.reduce(merged[entity] ?? []) { Self.adding($1, to: $0) }
    }
    history = merged
  }

  mutating func apply(_ read: [SavedFilter]) { saved = read }

  mutating func save(_ filter: SavedFilter) {
    saved.removeAll { $0.replaces(filter) || filter.replaces($0) }
    saved.append(filter)
  }

  mutating func delete(_ filter: SavedFilter) {
    saved.removeAll { $0 == filter }
  }

  /// The saved filters for an entity of the shown file, by name.
  func filters(entity: String) -> [SavedFilter] {
    saved.filter { $0.entity == entity && ($0.file == nil || $0.file == file) }
      .sorted { $0.name.lowercased() < $1.name.lowercased() }
  }
}

extension BrowserState {
  var filters: FilterMemory {
    get { self[FilterMemory.self] }
    _modify { yield &self[FilterMemory.self] }
  }
}
