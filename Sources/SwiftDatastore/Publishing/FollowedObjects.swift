import DatastoreCore

/// A publisher of an object of any class.
@MainActor
protocol FollowedObject: AnyObject {
  var followed: ManagedObject { get }
  /// Whether it has any observers.
  var isObserved: Bool { get }
  /// Reads the object again, and notifies the observers.
  ///
  /// - Parameter changed: the slots that may have changed; must include those of to-many relationships.
  func follow(_ changed: SlotSet, from source: ChangeSource)
}

/// The publishers of a view context: one for an object and class, for as long as someone holds it.
@MainActor
final class FollowedObjects: ContextListener {
  private struct Place: Hashable {
    /// The root of the family, in which keys are unique.
    let root: EntityIndex
    let key: RowKey
    let type: ObjectIdentifier
  }

  private struct Row: Hashable {
    let root: EntityIndex
    let key: RowKey
  }

  private struct Departure {
    weak var object: ManagedObject?
  }

  private struct Entry {
    weak var publisher: (any FollowedObject)?
  }

  /// The context keeps the table, and publishers and lists, which use the table, keep the context.
  private unowned let viewContext: SwiftDatastoreViewContext
  private var entries: [Place: Entry] = [:]
  /// The types of publishers made so far, which are few.
  private var types: Set<ObjectIdentifier> = []
  /// The number of entries at which those of released publishers are removed.
  private var nextPurge = 64
  /// Objects whose rows are deleted, for as long as someone holds them: an observer receives the object that
  /// it knows, with its values in memory, not another one made for its key.
  private var departed: [Row: Departure] = [:]
  /// The objects deleted by the latest changes. Kept until the next ones, so that observers can use them.
  private var latestDepartures: [ManagedObject] = []

  init(_ viewContext: SwiftDatastoreViewContext) { self.viewContext = viewContext }

  private var schema: Schema { viewContext.core.graph.schema }

  func publisher<T: DatastoreObject>(
    entity: EntityIndex, key: RowKey
  ) -> ObjectPublisher<T> {
    let type = ObjectIdentifier(T.self)
    let place = Place(root: schema.entities[entity].root, key: key, type: type)
    if let known = entries[place]?.publisher as? ObjectPublisher<T> { return known }
    if entries.count >= nextPurge {
      entries = entries.filter { $0.value.publisher != nil }
      nextPurge = max(64, entries.count * 2)
    }
    let row = Row(root: place.root, key: key)
    let object = departed[row]?.object ?? viewContext.core.graph.object(entity: entity, key: key)
    let made = ObjectPublisher<T>(object, in: viewContext)
    types.insert(type)
    entries[place] = Entry(publisher: made)
    return made
  }

  func contextWillNotify(of changes: GraphChanges) {
    latestDepartures = changes.departed
    if !latestDepartures.isEmpty { departed = departed.filter { $0.value.object != nil } }
    for object in latestDepartures {
      let root = schema.entities[object.entity.index].root
      departed[Row(root: root, key: object.key)] = Departure(object: object)
    }
    // A new row with the key of a deleted one has an object of its own.
    for object in changes.objects where !object.isGone {
      forgetDeparture(object.entity.index, object.key)
    }
    for (entity, keys) in changes.merged.inserted {
      for key in keys { forgetDeparture(entity, key) }
    }
  }

  private func forgetDeparture(_ entity: EntityIndex, _ key: RowKey) {
    if departed.isEmpty { return }
    departed[Row(root: schema.entities[entity].root, key: key)] = nil
  }

  func contextDidChange(_ changes: GraphChanges) {
    guard !entries.isEmpty else { return }
    for (root, pairs) in changes.merged.rekeyed {
      for (old, new) in pairs { rename(old, to: new, root) }
    }
    var touched: [(publisher: any FollowedObject, slots: SlotSet)] = []
    if changes.merged.isEverything {
      touched = entries.values.compactMap { entry in
        guard let publisher = entry.publisher, publisher.isObserved else { return nil }
        return (publisher, changes.slots[ObjectIdentifier(publisher.followed)] ?? SlotSet())
      }
    } else {
      visit(changes) { root, key, slots in
        for type in types {
          let entry = entries[Place(root: root, key: key, type: type)]
          if let publisher = entry?.publisher, publisher.isObserved {
            touched.append((publisher, slots))
          }
        }
      }
    }
    guard !touched.isEmpty else { return }
    viewContext.read(touched.map(\.publisher.followed))
    for (publisher, slots) in touched { publisher.follow(slots, from: changes.source) }
  }

  /// Calls the closure once for each affected object with a publisher.
  private func visit(_ changes: GraphChanges, _ body: (EntityIndex, RowKey, SlotSet) -> Void) {
    var slots: [EntityIndex: [RowKey: SlotSet]] = [:]
    func record(_ entity: EntityIndex, _ key: RowKey, _ changed: SlotSet) {
      let root = schema.entities[entity].root
      guard types.contains(where: { entries[Place(root: root, key: key, type: $0)] != nil }) else {
        return
      }
      slots[root, default: [:]][key, default: SlotSet()].formUnion(changed)
    }
    for object in changes.objects {
      record(object.entity.index, object.key, changes.slots[ObjectIdentifier(object)] ?? SlotSet())
    }
    let merged = changes.merged
    for (entity, keys) in merged.inserted { for key in keys { record(entity, key, SlotSet()) } }
    for (entity, keys) in merged.deleted { for key in keys { record(entity, key, SlotSet()) } }
    for (entity, rows) in merged.updated {
      for (key, changed) in rows { record(entity, key, changed) }
    }
    for (root, keys) in slots { for (key, changed) in keys { body(root, key, changed) } }
  }

  private func rename(_ old: RowKey, to new: RowKey, _ root: EntityIndex) {
    for type in types {
      let entry = entries.removeValue(forKey: Place(root: root, key: old, type: type))
      guard let entry, entry.publisher != nil else { continue }
      entries[Place(root: root, key: new, type: type)] = entry
    }
  }
}

extension SwiftDatastoreViewContext {
  /// The table of publishers, which is notified of changes after the lists that were made before it.
  var followedObjects: FollowedObjects {
    if let table = publisherTable as? FollowedObjects { return table }
    let made = FollowedObjects(self)
    publisherTable = made
    add(made)
    return made
  }
}
