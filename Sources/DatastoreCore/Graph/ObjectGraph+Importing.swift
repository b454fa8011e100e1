import Basics

/// Support for imports: look-up of objects by an identifying value, and all-or-nothing staging.
extension ObjectGraph {
  /// Stages all changes of `body`, or none. With undo on they are a group of their own, or a part of the open
  /// group.
  ///
  /// Changes that `body` has saved itself stay saved.
  ///
  /// - Throws: the error of `body`; its staged changes are undone.
  package func staging<Result>(_ body: () throws -> Result) throws -> Result {
    let own = journal == nil ? UndoJournal() : nil
    guard let journal = journal ?? own else { trap("one of them is there") }
    self.journal = journal
    defer { if let own, self.journal === own { self.journal = nil } }
    journal.beginGroup()
    defer { journal.endGroup() }
    let count = journal.stepCount
    do {
      return try body()
    } catch {
      journal.discardSteps(after: count, in: self)
      throw error
    }
  }

  /// The objects of stored rows whose attribute has one of the given values, compared as by `IN`, in the
  /// order of their keys. Ignores staged changes. One question to the store for up to 32,000 values.
  package func storedObjects(
    of entity: Entity, holding values: [Value], at slot: Slot
  ) throws -> [ManagedObject] {
    let comparison = Predicate.Comparison(
      .keyPath([entity.properties[slot].name]), .in, .list(values.map(Predicate.Operand.value)))
    let request = FetchRequest(entity: entity.name, predicate: .comparison(comparison))
    return objects(entity: entity.index, pages: try store.fetch(request))
  }

  /// The objects with staged changes whose attribute has a value. Uses an index if many are staged.
  package func stagedObjects(
    of entity: Entity, holding value: Value, at slot: Slot
  ) -> [ManagedObject] {
    let candidates =
      currentStagedIndex?.objects(of: entity, at: slot, holding: [value]) ?? Array(tracked)
    return candidates.filter {
      $0.entity.isKind(of: entity) && !$0.isKnownDeleted && $0.hasChanges
        && $0.value(at: slot) == value
    }
  }
}
