import DatastoreCore

/// The writer of a change.
enum ChangeOrigin: Hashable, Sendable {
  /// This session, by saving.
  case here
  /// Both this session and someone else.
  case both
  /// Someone else: another process, or an SQL statement.
  case elsewhere

  var title: String {
    switch self {
    case .here: "saves here"
    case .both: "saves here and others"
    case .elsewhere: "others"
    }
  }
}

extension ChangeOrigin {
  /// - Parameter saves: the saves of this session.
  init(_ object: StagedObject, _ saves: [StagedObject]) {
    switch object.kind {
    case .inserted, .deleted:
      self = saves.contains { $0.kind == object.kind } ? .here : .elsewhere
    case .updated:
      // The last save counts, unless someone else has written the property since.
      var saved: [Slot: Value] = [:]
      var members: Set<Slot> = []
      for save in saves {
        for change in save.changes { saved[change.slot] = change.new }
        members.formUnion(save.members.map(\.slot))
      }
      let here =
        object.changes.count { saved[$0.slot] == $0.new }
        + object.members.count { members.contains($0.slot) }
      switch here {
      case 0: self = .elsewhere
      case object.changes.count + object.members.count: self = .here
      default: self = .both
      }
    }
  }
}
