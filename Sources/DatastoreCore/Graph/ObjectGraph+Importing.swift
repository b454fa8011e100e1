import Basics

/// What an import asks of a graph: objects by a value that identifies them, and work that is staged as a
/// whole.
extension ObjectGraph {
  /// Stages everything that `body` does, or nothing. With undo on it is a group of its own, or a part of the
  /// group that is open.
  ///
  /// What `body` has saved itself stays saved.
  ///
  /// - Throws: what `body` throws; what it has staged is undone.
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

  /// The objects of stored rows of which an attribute holds one of some values, as a condition with `IN`
  /// compares them, in the order of their keys. What is staged for them is not looked at. One question to the
  /// store for up to 32,000 values.
  package func storedObjects(
    of entity: Entity, holding values: [Value], at slot: Slot
  ) throws -> [ManagedObject] {
    let comparison = Predicate.Comparison(
      .keyPath([entity.properties[slot].name]), .in, .list(values.map(Predicate.Operand.value)))
    let request = FetchRequest(entity: entity.name, predicate: .comparison(comparison))
    return objects(entity: entity.index, pages: try store.fetch(request))
  }

  /// The objects with staged changes of which an attribute holds a value. Found by an index where many
  /// are staged.
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
