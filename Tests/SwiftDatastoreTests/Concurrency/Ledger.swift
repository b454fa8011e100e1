import DatastoreCore
import SwiftDatastore

/// What successful saves have written, commutatively, so that the order of commits does not matter.
final class Ledger: Sendable {
  struct Row {
    var age = 0
    /// How often each position was taken on, less how often it was left: one is left in the end.
    var positions: [Int: Int] = [:]
    var salary = 0.0
  }

  enum Entry {
    case counted(RowKey)
    case moved(RowKey, from: Position?, to: Position?)
    case inserted(RowKey, age: Int, position: Position?)
    case deleted(RowKey)
    case paid(Double)

    /// The row that it is about.
    var key: RowKey? {
      switch self {
      case .counted(let key), .moved(let key, _, _), .inserted(let key, _, _), .deleted(let key):
        key
      case .paid: nil
      }
    }

    func renamed(_ keys: [RowKey: RowKey]) -> Entry {
      switch self {
      case .counted(let key): .counted(keys[key] ?? key)
      case .moved(let key, let from, let to): .moved(keys[key] ?? key, from: from, to: to)
      case .inserted(let key, let age, let position):
        .inserted(keys[key] ?? key, age: age, position: position)
      case .deleted(let key): .deleted(keys[key] ?? key)
      case .paid: self
      }
    }
  }

  private let state = Lock<(rows: [RowKey: Row], gone: Set<RowKey>)>(([:], []))

  var rows: [RowKey: Row] {
    state.withLock { state in state.rows.filter { !state.gone.contains($0.key) } }
  }

  func add(_ entries: [Entry]) {
    state.withLock { state in
      for entry in entries {
        switch entry {
        case .counted(let key): state.rows[key, default: Row()].age += 1
        case .moved(let key, let from, let to):
          state.rows[key, default: Row()].positions[Self.number(from), default: 0] -= 1
          state.rows[key, default: Row()].positions[Self.number(to), default: 0] += 1
        case .inserted(let key, let age, let position):
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
