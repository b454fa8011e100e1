import DatastoreCore
import SwiftDatastore
import Testing

/// Objects and their related objects by number: the content of a context, or the expected content after a
/// deletion.
struct ObjectsState: Equatable {
  struct Object: Equatable {
    let entity: String
    /// By property, in its order if it has one. A reference to a deleted object stays unless a rule has
    /// emptied it.
    var links: [String: [Int]] = [:]
  }

  private(set) var objects: [Int: Object] = [:]

  /// Reads all objects as they are known in a context, unsaved changes included.
  ///
  /// - Parameter numbers: by root entity and key; completed here, and asked about references to objects that
  ///   are gone.
  @MainActor
  init(_ context: SwiftDatastoreViewContext, _ numbers: inout [EntityIndex: [RowKey: Int]]) throws {
    let schema = context.core.graph.schema
    // Tables of pairs have none.
    let roots = schema.entities.filter { $0.root == $0.index && $0.slot(named: "number") != nil }
    let found: [DynamicObject] = try roots.flatMap { root in
      try context.fetch(FetchRequest(entity: root.name)) as [DynamicObject]
    }
    func number(_ object: DynamicObject) -> Int {
      guard case .integer(let number) = object["number"] else { return -1 }
      return Int(number)
    }
    for object in found { numbers[object.entity.root, default: [:]][object.key] = number(object) }
    for object in found {
      var line = Object(entity: object.entity.name)
      for link in object.entity.links.compactMap(\.self) {
        let name = link.description.name
        if link.kind == .toOne {
          let known = numbers[schema.entities[link.destination].root]
          line.links[name] = object[link.slot].key.map { [known?[$0] ?? -1] } ?? []
        } else {
          let members = object.objects(name).map(number)
          line.links[name] = link.kind == .toMany ? members.sorted() : members
        }
      }
      objects[number(object)] = line
    }
  }

  /// The differences, object by object.
  func differences(from expected: ObjectsState) -> [String] {
    Set(objects.keys).union(expected.objects.keys).sorted().compactMap { number in
      let (mine, theirs) = (objects[number], expected.objects[number])
      return mine == theirs
        ? nil : "\(number): \(Self.text(mine)) instead of \(Self.text(theirs))"
    }
  }

  private static func text(_ object: Object?) -> String {
    object.map { "\($0.entity) \($0.links.sorted { $0.key < $1.key })" } ?? "nothing"
  }
}

/// The effect of deleting some objects by the delete rules, computed as simply as possible.
struct ExpectedDeletion {
  /// The deleted objects, the given ones included.
  private(set) var gone: Set<Int>
  /// The objects whose relationship is emptied, or which a deleted object leaves; owners that lose a member
  /// are not counted.
  private(set) var left: Set<Int> = []
  /// The objects that prevent the deletion.
  private(set) var denying: Set<Int> = []
  /// Whether a relationship that has to lead somewhere would be empty.
  private(set) var emptiesRequired = false
  /// The objects after the deletion, if it is allowed.
  private(set) var after: ObjectsState

  var isRefused: Bool { !denying.isEmpty || emptiesRequired }

  /// - Parameter new: the objects that were never saved: no rule keeps them, and no object keeps a reference
  ///   to them.
  init(
    of roots: [Int], from before: ObjectsState, in schema: [EntityDescription], new: Set<Int> = []
  ) {
    let entities = Dictionary(uniqueKeysWithValues: schema.map { ($0.name, $0) })
    func relationships(_ number: Int) -> [RelationshipDescription] {
      before.objects[number].flatMap { entities[$0.entity] }?.properties
        .compactMap(\.relationship) ?? []
    }
    func members(_ number: Int, _ relationship: RelationshipDescription) -> [Int] {
      (before.objects[number]?.links[relationship.name] ?? [])
        .filter { before.objects[$0] != nil }
    }
    after = before
    gone = Set(roots)
    var waiting = roots
    while let number = waiting.popLast() {
      for relationship in relationships(number) where relationship.deleteRule == .cascade {
        waiting += members(number, relationship).filter { gone.insert($0).inserted }
      }
    }
    for number in gone.subtracting(new) {
      for relationship in relationships(number) where relationship.deleteRule == .deny {
        denying.formUnion(Set(members(number, relationship)).subtracting(gone))
      }
    }
    var rest = before.objects.filter { !gone.contains($0.key) }
    for number in rest.keys {
      for relationship in relationships(number) {
        for member in members(number, relationship) where gone.contains(member) {
          let inverse = relationship.inverse.flatMap { name in
            relationships(member).first { $0.name == name }
          }
          if inverse?.deleteRule == .noAction, relationship.kind == .toOne, !new.contains(member) {
            continue
          }
          rest[number]?.links[relationship.name]?.removeAll { $0 == member }
          if !relationship.kind.isToMany, !relationship.isOptional { emptiesRequired = true }
          // A refusal names the objects that deny the deletion.
          if inverse?.deleteRule == .deny, !new.contains(member) { continue }
          if !relationship.kind.isToMany || inverse?.kind != .toOne { left.insert(number) }
        }
      }
    }
    after.keep(rest)
  }
}

extension ObjectsState {
  fileprivate mutating func keep(_ rest: [Int: Object]) { objects = rest }

  func names(of numbers: Set<Int>) -> [String: Int] {
    numbers.reduce(into: [:]) { counts, number in
      counts[objects[number]?.entity ?? "", default: 0] += 1
    }
  }
}
