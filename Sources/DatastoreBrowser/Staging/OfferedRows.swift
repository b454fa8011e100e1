/// The rows of the last search as they were shown, so that a choice from them applies to the same rows.
@MainActor
final class OfferedRows: EffectService {
  var rows: Set<ObjectReference> = []

  init(_ runner: EffectRunner) {}

  /// An object's row as it was shown; nil if its key can lead to no other row.
  func seen(_ reference: ObjectReference) -> SeenRow? {
    rows.firstIndex(of: reference).flatMap { rows[$0].seen }
  }
}
