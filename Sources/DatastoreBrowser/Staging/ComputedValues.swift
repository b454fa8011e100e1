import DatastoreCore
import SwiftDatastore

/// The staged values that were computed from others of their rows: if someone else changes those before the
/// save, the computed value is no longer right, so that is a conflict.
@MainActor
final class ComputedValues: EffectService {
  private struct Computed {
    let object: DynamicObject
    let values: [Slot: Value]
    /// The slots that the values were computed from, and the row as it was then.
    let sources: SlotSet
    let seen: RowReference

    /// Whether the values are still staged.
    var isStaged: Bool {
      object.hasChanges && !object.isKnownDeleted
        && values.allSatisfy { object[$0.key] == $0.value }
    }

    var hasOtherSources: Bool {
      sources.contains { object.committedValue(at: $0) != seen.value($0) }
    }
  }

  private unowned let runner: EffectRunner
  private var computed: [Computed] = []

  init(_ runner: EffectRunner) {
    self.runner = runner
  }

  var isEmpty: Bool { computed.isEmpty }

  /// Remembers what values were computed from that were just staged.
  func remember(
    _ values: [Slot: Value], of object: DynamicObject, from sources: SlotSet,
    in seen: RowReference
  ) {
    // Others never change, or follow from those that do.
    let sources = SlotSet(sources.filter { object.isWritable(at: $0) })
    if sources.isEmpty { return }
    computed.append(Computed(object: object, values: values, sources: sources, seen: seen))
  }

  /// Makes other stored values of the sources a conflict, once.
  func check() {
    if computed.isEmpty { return }
    let all = computed
    computed = []
    let unchanged = all.filter { computed in
      guard computed.isStaged else { return false }
      guard computed.hasOtherSources else { return true }
      runner.view.antedate(computed.object, computed.sources, to: computed.seen)
      return false
    }
    computed += unchanged
  }

  /// Forgets all values, which are saved now.
  func forget() { computed = [] }
}
