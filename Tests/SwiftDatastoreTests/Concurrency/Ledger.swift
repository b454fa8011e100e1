import DatastoreCore
import Foundation
import SwiftDatastore

/// The effects of successful saves, commutatively, so that the order of commits does not matter. Rows are
/// known by their UUIDs, because SQLite gives the greatest key out again when its row is deleted.
final class Ledger: Sendable {
  struct Row {
    var age = 0
    /// How often each position was entered, less how often it was left: one is left at the end.
    var positions: [Int: Int] = [:]
    var salary = 0.0
  }

  enum Entry {
    case counted(UUID)
    case moved(UUID, from: Position?, to: Position?)
    case inserted(UUID, RowKey, age: Int, position: Position?)
    case deleted(UUID)
    case paid(Double)

    /// The entry after a save has given a new object another key, because its own was in use meanwhile.
    func renamed(_ keys: [RowKey: RowKey]) -> Entry {
      guard case .inserted(let id, let key, let age, let position) = self else { return self }
      return .inserted(id, keys[key] ?? key, age: age, position: position)
    }
  }

  private struct State {
    var rows: [UUID: Row] = [:]
    var gone: Set<UUID> = []
    var owners: [RowKey: Set<UUID>] = [:]
  }

  private let state = Lock(State())

  var rows: [UUID: Row] {
    state.withLock { state in state.rows.filter { !state.gone.contains($0.key) } }
  }

  /// Rows whose key another row has had before or after. A context that has deleted or changed the first, and
  /// merges the second, deletes or changes that one: to SQL a row is its key.
  var sharingKeys: Set<UUID> {
    state.withLock { state in
      state.owners.values.filter { $0.count > 1 }.reduce(into: []) { $0.formUnion($1) }
    }
  }

  func add(_ entries: [Entry]) {
    state.withLock { state in
      for entry in entries {
        switch entry {
        case .counted(let key): state.rows[key, default: Row()].age += 1
        case .moved(let key, let from, let to):
          state.rows[key, default: Row()].positions[Self.number(from), default: 0] -= 1
          state.rows[key, default: Row()].positions[Self.number(to), default: 0] += 1
        case .inserted(let key, let number, let age, let position):
          state.owners[number, default: []].insert(key)
          state.rows[key, default: Row()].age += age
          state.rows[key, default: Row()].positions[Self.number(position), default: 0] += 1
        case .deleted(let key): state.gone.insert(key)
        case .paid: break
        }
      }
    }
  }

  static func number(_ position: Position?) -> Int { position.map { Int($0.rawValue) } ?? -1 }
}
