/// What the last search has found, as it was shown: what is chosen of it must still be that.
@MainActor
final class OfferedRows: EffectService {
  var rows: Set<ObjectReference> = []

  init(_ runner: EffectRunner) {}

  /// What was shown of an object; nil where its key leads to no other row.
  func seen(_ reference: ObjectReference) -> SeenRow? {
    rows.firstIndex(of: reference).flatMap { rows[$0].seen }
  }
}
