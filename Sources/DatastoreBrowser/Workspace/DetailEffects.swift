import DatastoreCore
import SwiftDatastore

extension Lane {
  static let detail = Lane("detail", .latest)
}

extension Effect {
  /// Shows this object in the detail pane and follows its changes; nil for none.
  static func watch(_ reference: ObjectReference?) -> Effect { .work { $0.watch(reference) } }

  static func loadMembers(_ object: ObjectReference, slot: Slot) -> Effect {
    .work { $0.loadMembers(of: object, slot: slot) }
  }

  /// Reads the keys of the objects in a relationship without an inverse, to open them as a table.
  static func loadMemberKeys(_ reference: ObjectReference, slot: Slot) -> Effect {
    .answer { runner in
      guard let object = try await runner.view.load(reference) else { throw CancellationError() }
      return try await runner.view.loadRelatedKeys(of: object, slot: slot)
    } then: { (state: inout BrowserState, keys: Result<[RowKey], EffectFailure>) in
      switch keys {
      case .success(let keys): state.openMembers(of: reference, slot: slot, keys: keys)
      case .failure(let failure): state.tellUnreadable(failure.message)
      }
    }
  }
}

enum DetailEvent: BrowserEvent {
  /// The object of the detail pane; nil if there is no such row.
  case read(ObjectReference, DetailSnapshot?)
  case failed(ObjectReference, String)
  case membersRead(ObjectReference, slot: Slot, Result<Members, EffectFailure>)
  /// The members of a to-many relationship of the watched object have changed.
  case membersChanged(ObjectReference, slot: Slot)

  func apply(to state: inout BrowserState) {
    switch self {
    case .read(let object, let snapshot): state.detail.apply(snapshot, of: object)
    case .failed(let object, let reason): state.detail.fail(reason, of: object)
    case .membersRead(let object, let slot, let members):
      state.detail.apply(members, slot: slot, of: object)
    case .membersChanged(let object, let slot):
      state.detail.invalidateMembers(slot: slot, of: object)
    }
  }

  /// Nearly every key brings an answer for the detail pane, which leaves the table as it is.
  var isOfDetail: Bool {
    if case .membersChanged = self { false } else { true }
  }
}

/// Watches the object of the detail pane.
@MainActor
final class DetailFeed: EffectService {
  var watched: ObjectFeed?

  init(_ runner: EffectRunner) {}

  func stop() { watched = nil }
}

extension EffectRunner {
  var watched: ObjectFeed? { service(DetailFeed.self).watched }

  fileprivate func watch(_ reference: ObjectReference?) {
    cancel(.detail)
    let detail = service(DetailFeed.self)
    detail.watched = nil
    guard let reference else { return }
    // The rows around the cursor have been read for the table, so the details mostly appear in the same
    // picture as the cursor.
    if let object = view.loadedObject(entity: reference.entity, key: reference.key) {
      let feed = ObjectFeed(object, reference, runner: self)
      detail.watched = feed
      feed.show(self)
      return
    }
    perform(in: .detail) { runner in
      let objects = try await runner.view.load(entity: reference.entity, keys: [reference.key])
      try Task.checkCancellation()
      guard let object = objects.first else {
        runner.send(DetailEvent.read(reference, nil))
        return
      }
      let feed = ObjectFeed(object, reference, runner: runner)
      detail.watched = feed
      await feed.refresh(runner)
    } orSend: {
      DetailEvent.failed(reference, String(describing: $0))
    }
  }

  fileprivate func loadMembers(of reference: ObjectReference, slot: Slot) {
    guard let feed = watched, feed.reference == reference,
      let link = schema.entities[reference.entity].links[slot]
    else { return }
    answer { runner in
      let keys = try await runner.view.loadRelatedKeys(of: feed.object, slot: slot)
      let first = Array(keys.prefix(Members.shown))
      let names = try await runner.names(
        entity: link.destination, keys: first, besides: link.inverseSlot)
      let members = first.map { key in
        Members.Member(key: key, name: names[key] ?? DisplayName.placeholder(key: key))
      }
      return Members(count: keys.count, first: members)
    } as: {
      DetailEvent.membersRead(reference, slot: slot, $0)
    }
  }
}
