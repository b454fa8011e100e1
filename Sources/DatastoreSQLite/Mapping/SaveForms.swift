import DatastoreCore
import DatastoreSQL

/// Cached facts about tables for saves: the text of the statements that write rows, their parameters, and
/// which rows have to be read again.
///
/// The store keeps them: building a statement takes longer than running it, and a transaction often writes a
/// single row.
struct SaveForms: Sendable {
  struct InsertKey: Hashable {
    let entity: EntityIndex
    /// Slots that are omitted, so that the file fills them in.
    let absent: SlotSet
  }

  /// A statement that inserts a row. Its key is the first parameter.
  struct Insert {
    let text: String
    /// Parameter number and slot of attributes.
    let attributes: [(parameter: Int32, slot: Slot)]
    /// Parameter number, slot and destination of references.
    let references: [(parameter: Int32, slot: Slot, foreign: ForeignKey)]
    let bindsKey: Bool
  }

  struct UpdateKey: Hashable {
    let entity: EntityIndex
    let slots: SlotSet
    /// Whether it writes regardless of the row's values.
    let overwrites: Bool
  }

  /// A statement that updates certain slots of a row. Its key is the first parameter.
  struct Update {
    let text: String
    /// Slots in the order of their parameters: first the new values, then the original ones.
    let slots: [Slot]
    let foreign: [Slot: ForeignKey]
  }

  /// Identifies a staleness rule.
  struct RuleKey: Hashable {
    let entity: EntityIndex
    let hasTriggers: Bool
  }

  private var rules: [RuleKey: StalenessRule] = [:]
  private var inserts: [InsertKey: Insert] = [:]
  private var updates: [UpdateKey: Update] = [:]
  /// Few sets of slots are changed repeatedly; if a program changes others each time, not all are kept.
  private static let limit = 256

  subscript(key: RuleKey) -> StalenessRule? {
    get { rules[key] }
    set { rules[key] = newValue }
  }

  subscript(key: InsertKey) -> Insert? {
    get { inserts[key] }
    set {
      if inserts.count >= Self.limit { inserts = [:] }
      inserts[key] = newValue
    }
  }

  subscript(key: UpdateKey) -> Update? {
    get { updates[key] }
    set {
      if updates.count >= Self.limit { updates = [:] }
      updates[key] = newValue
    }
  }
}
