import Basics
import DatastoreCore

/// The staged changes as the screens mark them: the objects, their changed properties, and the counts.
struct StagingMarks: Hashable, Sendable {
  /// The staged changes of one object.
  struct Mark: Hashable, Sendable {
    var kind: StagedObject.Kind
    /// The properties that differ from the store.
    var slots: SlotSet
    /// The changed properties that someone else has changed, too.
    var conflictingSlots: SlotSet
    /// Whether someone else has deleted the object.
    var isRowGone: Bool

    /// Whether saving asks whose values to keep.
    var isInConflict: Bool { isRowGone || !conflictingSlots.isEmpty }

    init(_ staged: StagedObject) {
      kind = staged.kind
      slots = staged.slots
      conflictingSlots = staged.conflictingSlots
      isRowGone = staged.isRowGone
    }

    /// The sign before the row: `*`, `+` or `-`, and `!` for a conflict.
    var sign: String {
      if isInConflict { return "!" }
      return switch kind {
      case .inserted: "+"
      case .updated: "*"
      case .deleted: "-"
      }
    }
  }

  private(set) var marks: [ObjectReference: Mark] = [:]
  private(set) var changed = 0
  private(set) var inserted = 0
  private(set) var deleted = 0
  /// The number of changed objects that someone else has changed or deleted, too.
  private(set) var inConflict = 0
  var canUndo = false
  var canRedo = false

  init() {}

  /// O(objects).
  init(_ staged: [StagedObject], in schema: Schema, canUndo: Bool, canRedo: Bool) {
    self.canUndo = canUndo
    self.canRedo = canRedo
    for object in staged {
      let mark = Mark(object)
      // The row of a descendant is also in the tables of its ancestors.
      for entity in [object.entity] + schema.entities[object.entity].ancestors {
        marks[ObjectReference(entity: entity, key: object.key)] = mark
      }
      if mark.isInConflict { inConflict += 1 }
      switch object.kind {
      case .inserted: inserted += 1
      case .updated: changed += 1
      case .deleted: deleted += 1
      }
    }
  }

  /// The number of objects with unsaved changes.
  var count: Int { changed + inserted + deleted }
  var isEmpty: Bool { marks.isEmpty }

  subscript(object: ObjectReference) -> Mark? { marks[object] }

  /// Whether objects of an entity have unsaved changes. O(objects).
  func hasChanges(of entity: EntityIndex) -> Bool { marks.keys.contains { $0.entity == entity } }

  /// The counts in words: `3 changed, 1 new, 1 deleted (1 in conflict)`.
  var description: String {
    Self.describe(changed: changed, inserted: inserted, deleted: deleted)
      + (inConflict == 0 ? "" : " (\(CountText.grouped(inConflict)) in conflict)")
  }

  static func describe(changed: Int, inserted: Int, deleted: Int) -> String {
    [(changed, "changed"), (inserted, "new"), (deleted, "deleted")]
      .filter { $0.0 > 0 }
      .map { "\(CountText.grouped($0.0)) \($0.1)" }
      .joined(separator: ", ")
  }
}
