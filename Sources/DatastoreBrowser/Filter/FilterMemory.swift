import DatastoreCore

/// A filter with a name.
struct SavedFilter: Hashable, Sendable {
  var entity: String
  var name: String
  /// The condition in the predicate format language.
  var text: String
  /// The path of the only file it is for; nil for every file with such an entity.
  var file: String?

  /// Whether it takes the place of another one.
  func replaces(_ other: SavedFilter) -> Bool {
    (entity, name, file) == (other.entity, other.name, other.file)
  }
}

/// The filters that were used before, and those that were saved.
struct FilterMemory: FeatureState {
  /// By entity, the latest last.
  private(set) var history: [String: [String]] = [:]
  private(set) var saved: [SavedFilter] = []
  /// The path of the file that is shown.
  var file: String?

  /// More than so many of an entity are forgotten.
  static let capacity = 100

  mutating func record(_ text: String, entity: String) {
    history[entity] = Self.adding(text, to: history[entity] ?? [])
  }

  /// A history with one text more, which is in it once.
  static func adding(_ text: String, to history: [String]) -> [String] {
    (history.filter { $0 != text } + [text]).suffix(capacity)
  }

  /// Applies what earlier runs have left; what has been used since comes after it.
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

  /// Those for an entity of the file that is shown, by name.
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
