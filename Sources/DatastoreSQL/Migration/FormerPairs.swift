import Basics
import DatastoreCore

/// The storage of a relationship's pairs in an older file, seen from one of its ends: a table with a key of
/// either end in each row.
struct FormerPairs: Hashable {
  let table: String
  /// The column with the key of the end on this side.
  let own: String
  /// The column with the key of the other end.
  let other: String
  /// The column with the place of the other object among those of one's own, if there is one.
  let ownOrder: String?
  /// The column with the place of one's own among those of the other object.
  let otherOrder: String?
  /// Whether the rows are pairs, and not objects that hold the key of another.
  let isJoin: Bool
  /// Whether a pair counts in both directions.
  let isSymmetric: Bool
  /// The roots of both ends' families, in the older schema.
  let ownRoot: EntityIndex
  let otherRoot: EntityIndex

  init(_ former: FormerRelationship, in mapping: SchemaMapping) {
    let pairs = FormerPairs(former.link, in: mapping)
    self = former.isReversed ? pairs.reversed : pairs
  }

  private init(_ link: RelationshipLink, in mapping: SchemaMapping) {
    let owner = mapping.entities[link.entity]
    let destination = mapping.entities[link.destination]
    ownRoot = mapping.schema.entities[link.entity].root
    otherRoot = mapping.schema.entities[link.destination].root
    switch owner.slots[link.slot] {
    case .attribute: trap("a relationship is not stored as an attribute")
    case .toOne(let key):
      table = owner.table
      own = owner.keyColumn
      other = key.names[0]
      ownOrder = nil
      if let inverse = link.inverseSlot,
        case .toManyForeignKey(_, let order) = destination.slots[inverse]
      {
        otherOrder = order
      } else {
        otherOrder = nil
      }
      isJoin = false
      isSymmetric = false
    case .toManyForeignKey(let inverse, let order):
      guard case .toOne(let key) = destination.slots[inverse] else {
        trap("the other end holds the key")
      }
      table = destination.table
      own = key.names[0]
      other = destination.keyColumn
      ownOrder = order
      otherOrder = nil
      isJoin = false
      isSymmetric = false
    case .toManyJoin(let join):
      table = join.table
      own = join.ownColumns[0]
      other = join.otherColumns[0]
      ownOrder = join.orderColumn
      otherOrder = join.otherOrderColumn
      isJoin = true
      isSymmetric = join.isSymmetric
    }
  }

  private init(reversing pairs: FormerPairs) {
    table = pairs.table
    own = pairs.other
    other = pairs.own
    ownOrder = pairs.otherOrder
    otherOrder = pairs.ownOrder
    isJoin = pairs.isJoin
    isSymmetric = pairs.isSymmetric
    ownRoot = pairs.otherRoot
    otherRoot = pairs.ownRoot
  }

  /// The pairs seen from the other end.
  var reversed: FormerPairs { FormerPairs(reversing: self) }

  /// The columns that determine which pairs come first, under an alias.
  func order(_ alias: String) -> SQLFragment {
    let other = "\(name: alias).\(name: self.other)" as SQLFragment
    guard let ownOrder else { return other }
    let order = "\(name: alias).\(name: ownOrder)" as SQLFragment
    return "\(order) IS NULL, \(order), \(other)"
  }

  /// The condition that a row has both ends.
  func isPair(_ alias: String) -> SQLFragment {
    "\(name: alias).\(name: own) IS NOT NULL AND \(name: alias).\(name: other) IS NOT NULL"
  }
}
