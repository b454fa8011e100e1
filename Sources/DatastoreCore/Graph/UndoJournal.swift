import Basics

/// The staged changes of a graph, step by step, for undo and redo.
///
/// Steps are collected in groups; undo reverts a whole group. Both sides of a relationship record steps of
/// their own, so reverting the steps in reverse order restores both.
package final class UndoJournal {
  /// One change of one object, with everything needed to undo it.
  enum Step {
    // Indirect, so that the steps of an import, which creates objects, take a third of the memory.
    indirect case changed(ManagedObject, Slot, Former)
    case gained(ManagedObject, Slot, RowKey)
    case lost(ManagedObject, Slot, RowKey)
    /// The members in their former order.
    case ordered(ManagedObject, Slot, [RowKey])
    case inserted(ManagedObject)
    case deleted(ManagedObject, ManagedObjectState)
  }

  /// The staged state of a property before a change.
  struct Former {
    let value: Value
    /// The value before that edit; nil when nothing was staged.
    let base: Value?
    /// The number of saves of the graph before the change. If it was saved in the meantime, the opposite
    /// change is staged.
    let saveCount: Int
  }

  private enum Direction {
    case doing, undoing, redoing
  }

  private var undoGroups: [[Step]] = []
  private var redoGroups: [[Step]] = []
  private var open: [Step] = []
  private var depth = 0
  private var direction = Direction.doing
  /// The object that was created last in the open group. Undoing its creation undoes its values.
  private var newest: ManagedObject?

  package init() {}

  /// Whether there is a group to undo.
  package var canUndo: Bool { !undoGroups.isEmpty || !open.isEmpty }
  /// Whether a group was undone and nothing was staged since.
  package var canRedo: Bool { !redoGroups.isEmpty && open.isEmpty }

  func record(_ step: Step) {
    open.append(step)
  }

  func recordCreation(of object: ManagedObject) {
    open.append(.inserted(object))
    newest = direction == .doing ? object : nil
  }

  /// Whether the attributes of an object need no steps of their own. An import fills each object right after
  /// it has created it, and would otherwise record a step for each value.
  func coversAttributes(of object: ManagedObject) -> Bool {
    newest === object && object.state == .inserted
  }

  /// Starts a group; groups may nest, and only the outermost counts.
  package func beginGroup() {
    if depth == 0 { closeGroup() }
    depth += 1
  }

  /// Ends a group. Traps without `beginGroup()`.
  package func endGroup() {
    require(depth > 0, "an undo group was ended that was not begun")
    depth -= 1
    if depth == 0 { closeGroup() }
  }

  /// Makes one group of everything since the last one, unless a group is open.
  package func endTurn() {
    if depth == 0 { closeGroup() }
  }

  /// Whether a step that can be undone affects the members of a relationship. O(steps).
  func mentions(_ owner: ManagedObject, _ slot: Slot) -> Bool {
    // During an undo, the open steps are those that redo it.
    let steps = (direction == .doing ? undoGroups + [open] : undoGroups).joined()
    return steps.contains { step in
      switch step {
      case .gained(let object, let place, _), .lost(let object, let place, _),
        .ordered(let object, let place, _):
        object === owner && place == slot
      case .changed, .inserted, .deleted: false
      }
    }
  }

  private func closeGroup() {
    newest = nil
    guard !open.isEmpty else { return }
    let group = open
    open = []
    switch direction {
    case .doing:
      undoGroups.append(group)
      redoGroups.removeAll()
    case .undoing: redoGroups.append(group)
    case .redoing: undoGroups.append(group)
    }
  }

  /// Replaces all steps. O(steps).
  func renameSteps(_ renamed: (Step) -> Step) {
    undoGroups = undoGroups.map { $0.map(renamed) }
    redoGroups = redoGroups.map { $0.map(renamed) }
    open = open.map(renamed)
  }

  func removeAll() {
    undoGroups = []
    redoGroups = []
    open = []
    newest = nil
  }

  /// The number of steps in the open group.
  var stepCount: Int { open.count }

  /// Undoes the last steps of the open group, and removes them.
  ///
  /// - Parameter count: the number of steps to keep.
  func discardSteps(after count: Int, in graph: ObjectGraph) {
    guard open.count > count else { return }
    newest = nil
    let steps = Array(open[count...])
    // The remaining steps are a group of their own meanwhile, so that it is known which steps can be undone.
    undoGroups.append(Array(open[..<count]))
    open = []
    direction = .undoing
    for step in steps.reversed() { graph.takeBack(step) }
    graph.align(after: steps)
    direction = .doing
    open = undoGroups.removeLast()
  }

  func undo(in graph: ObjectGraph) {
    require(depth == 0, "undo was asked for inside an undo group")
    closeGroup()
    guard let group = undoGroups.popLast() else { return }
    takeBack(group, .undoing, in: graph)
  }

  func redo(in graph: ObjectGraph) {
    require(depth == 0, "redo was asked for inside an undo group")
    guard open.isEmpty, let group = redoGroups.popLast() else { return }
    takeBack(group, .redoing, in: graph)
  }

  private func takeBack(_ group: [Step], _ direction: Direction, in graph: ObjectGraph) {
    self.direction = direction
    for step in group.reversed() { graph.takeBack(step) }
    graph.align(after: group)
    closeGroup()
    self.direction = .doing
  }
}
