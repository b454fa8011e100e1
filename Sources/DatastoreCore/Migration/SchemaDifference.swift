/// The correspondence between entities and properties of an older schema and a newer one.
///
/// Pure: made from two schemas, without a file. For entities, then for the properties of matching entities,
/// the first rule that applies decides:
///
/// 1. The new one gives a former name, and the old one of its name gives the same: it has already been
///   renamed.
/// 2. The new one gives a former name that the old schema has: that is its predecessor. So two may swap their
///    names; to swap them back, leave the former names out of a version in between.
/// 3. Both have the same name.
/// 4. Otherwise it is new; old ones without a match are lost.
///
/// An attribute never matches a relationship. A relationship matches if it leads to the same entity as
/// before, or to one that this one now inherits from.
package struct SchemaDifference: Sendable {
  /// The older schema: that of the file.
  package let old: Schema
  /// The newer schema: that of the model.
  package let new: Schema
  /// The former entity, by index of a new one.
  package internal(set) var formerEntities: ByEntity<EntityIndex?>
  /// The later entity, by index of an old one.
  package internal(set) var laterEntities: ByEntity<EntityIndex?>
  /// The slot in the former entity, by index of a new entity and slot.
  package internal(set) var formerSlots: ByEntity<BySlot<Slot?>>

  /// Compares two schemas, matching one old entity with one new one, whatever their names. O(entities ×
  /// properties).
  package init(from old: Schema, to new: Schema, matching source: Entity, with destination: Entity)
  {
    self.init(directlyFrom: old, to: new, [])
    for index in formerEntities.indices where formerEntities[index] == source.index {
      formerEntities[index] = nil
      formerSlots[index] = BySlot(repeating: nil, count: new.entities[index].slotCount)
    }
    for index in laterEntities.indices where laterEntities[index] == destination.index {
      laterEntities[index] = nil
    }
    formerEntities[destination.index] = source.index
    laterEntities[source.index] = destination.index
    formerSlots[destination.index] = slots(of: destination, from: source)
  }

  /// Compares two schemas. O(entities × properties).
  ///
  /// - Parameters:
  ///   - versions: the versions between the two, oldest first: names are followed through all of them.
  ///   - pairs: old entities and the new ones that they become, if neither matches another by name.
  package init(
    from old: Schema, through versions: [Schema] = [], to new: Schema,
    pairing pairs: [(old: String, new: String)] = []
  ) {
    var older = old
    var composed: SchemaDifference?
    for version in versions + [new] {
      let step = SchemaDifference(directlyFrom: older, to: version, pairs)
      composed = composed?.followed(by: step) ?? step
      older = version
    }
    // The loop always ends with a version.
    self = composed ?? SchemaDifference(directlyFrom: old, to: new, pairs)
  }

  private init(
    directlyFrom old: Schema, to new: Schema, _ pairs: [(old: String, new: String)]
  ) {
    self.init(old: old, new: new)
    let matches = Self.matches(
      new.entities.map { (name: $0.name, former: $0.description.renamedFrom) },
      old.entities.map { (name: $0.name, former: $0.description.renamedFrom) })
    for (entity, match) in zip(new.entities, matches) {
      guard let former = match.map({ EntityIndex($0) }) else { continue }
      formerEntities[entity.index] = former
      laterEntities[former] = entity.index
    }
    for pair in pairs {
      guard let former = old.entity(named: pair.old), let entity = new.entity(named: pair.new),
        laterEntities[former.index] == nil, formerEntities[entity.index] == nil
      else { continue }
      formerEntities[entity.index] = former.index
      laterEntities[former.index] = entity.index
    }
    for entity in new.entities {
      guard let former = formerEntities[entity.index].map({ old.entities[$0] }) else { continue }
      formerSlots[entity.index] = slots(of: entity, from: former)
    }
  }

  private func slots(of entity: Entity, from former: Entity) -> BySlot<Slot?> {
    // Attributes and relationships separately: those of one name have nothing in common.
    func names(_ entity: Entity, ofAttributes: Bool) -> [(
      slot: Slot, name: String, former: String?
    )] {
      zip(entity.slots, entity.properties).compactMap { slot, property in
        (property.attribute != nil) == ofAttributes
          ? (slot, property.nameInFile, property.renamedFrom) : nil
      }
    }
    var slots = BySlot<Slot?>(repeating: nil, count: entity.slotCount)
    for ofAttributes in [true, false] {
      let news = names(entity, ofAttributes: ofAttributes)
      let olds = names(former, ofAttributes: ofAttributes)
      let matches = Self.matches(
        news.map { ($0.name, $0.former) }, olds.map { ($0.name, $0.former) })
      for (index, match) in matches.enumerated() {
        guard let match else { continue }
        let (slot, formerSlot) = (news[index].slot, olds[match].slot)
        if !ofAttributes, !leadsOn(entity.links[slot], former.links[formerSlot]) { continue }
        slots[slot] = formerSlot
      }
    }
    return slots
  }

  /// Whether a relationship leads to the same entity as before.
  private func leadsOn(_ link: RelationshipLink?, _ former: RelationshipLink?) -> Bool {
    guard let link, let former, let later = laterEntities[former.destination] else { return false }
    return new.entities[later].isKind(of: new.entities[link.destination])
  }

  /// For each new name, the index of the old one that matches by the rules above.
  private static func matches(
    _ news: [(name: String, former: String?)], _ olds: [(name: String, former: String?)]
  ) -> [Int?] {
    let places = Dictionary(
      olds.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    var matches: [Int?] = Array(repeating: nil, count: news.count)
    var claimed = Set<Int>()
    for (index, new) in news.enumerated() {
      guard let former = new.former else { continue }
      let isDone = places[new.name].map { olds[$0].former == former } ?? false
      guard let place = isDone ? places[new.name] : places[former],
        claimed.insert(place).inserted
      else { continue }
      matches[index] = place
    }
    for (index, new) in news.enumerated() where matches[index] == nil {
      guard let place = places[new.name], claimed.insert(place).inserted else { continue }
      matches[index] = place
    }
    return matches
  }

  /// Composes this difference with the next, through a version in between.
  package func followed(by next: SchemaDifference) -> SchemaDifference {
    var both = SchemaDifference(old: old, new: next.new)
    for index in next.new.entities.map(\.index) {
      guard let middle = next.formerEntities[index], let former = formerEntities[middle] else {
        continue
      }
      both.formerEntities[index] = former
      both.laterEntities[former] = index
      both.formerSlots[index] = BySlot(
        next.formerSlots[index].map { slot in slot.flatMap { formerSlots[middle][$0] } })
    }
    return both
  }

  /// Nothing matches yet.
  private init(old: Schema, new: Schema) {
    self.old = old
    self.new = new
    formerEntities = ByEntity(repeating: nil, count: new.entities.count)
    laterEntities = ByEntity(repeating: nil, count: old.entities.count)
    formerSlots = ByEntity(new.entities.map { BySlot(repeating: nil, count: $0.slotCount) })
  }

  package func former(_ entity: Entity) -> Entity? {
    formerEntities[entity.index].map { old.entities[$0] }
  }

  /// The later entity of an old one, if any.
  package func later(_ entity: Entity) -> Entity? {
    laterEntities[entity.index].map { new.entities[$0] }
  }

  /// The slots of an old entity that the new one has kept.
  package func keptSlots(of former: Entity) -> Set<Slot> {
    guard let later = laterEntities[former.index] else { return [] }
    return Set(formerSlots[later].compactMap(\.self))
  }

  /// The former relationship of a slot: by its own name or, if only the other end was kept, by that of its
  /// inverse, seen from here.
  package func formerRelationship(_ slot: Slot, of entity: Entity) -> FormerRelationship? {
    guard let link = entity.links[slot] else { return nil }
    if let former = former(entity), let formerSlot = formerSlots[entity.index][slot] {
      return former.links[formerSlot].map { FormerRelationship(link: $0, isReversed: false) }
    }
    guard let inverse = link.inverseSlot, let owner = former(new.entities[link.destination]),
      let formerSlot = formerSlots[link.destination][inverse]
    else { return nil }
    // An entity that has joined the family since then has never been at that end.
    guard let link = owner.links[formerSlot], let former = former(entity),
      former.isKind(of: old.entities[link.destination])
    else { return nil }
    return FormerRelationship(link: link, isReversed: true)
  }

  /// The former relationships of one in all entities that have it, each once: several if it has moved from
  /// children to their parent.
  package func formerRelationships(_ link: RelationshipLink) -> [FormerRelationship] {
    let owner = new.entities[link.entity]
    if let former = formerRelationship(link.slot, of: owner) { return [former] }
    var found: [FormerRelationship] = []
    for member in owner.members.map({ new.entities[$0] }) {
      guard let former = formerRelationship(link.slot, of: member), !found.contains(former) else {
        continue
      }
      found.append(former)
    }
    return found
  }
}

/// A relationship of an older schema, and the end from which a newer one sees it.
package struct FormerRelationship: Sendable, Hashable {
  package let link: RelationshipLink
  /// Whether the newer one begins where this one ends.
  package let isReversed: Bool

  package init(link: RelationshipLink, isReversed: Bool) {
    self.link = link
    self.isReversed = isReversed
  }
}

extension PropertyDescription {
  /// The name it had in an older version of the model.
  package var renamedFrom: String? {
    switch self {
    case .attribute(let attribute): attribute.renamedFrom
    case .relationship(let relationship): relationship.renamedFrom
    }
  }
}
