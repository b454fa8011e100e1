import DatastoreCore
import SwiftDatastore

extension Effect {
  /// Reads a value, with unsaved changes, and lays it out in lines.
  static func layOutValue(_ request: ValueRequest) -> Effect {
    .answer(in: Lane("value", .latest)) { runner in
      guard let (value, format) = try await runner.value(request) else {
        throw EffectFailure(message: "This object is no longer in the store.")
      }
      return await Task.detached {
        ValueText(value, format, form: request.form, width: request.width)
      }.value
    } then: { (state: inout BrowserState, result: Result<ValueText, EffectFailure>) in
      let size = state.size
      state.changeOverlay(as: ValueScreen.self) { $0.apply(result, of: request, size: size) }
    }
  }
}

extension EffectRunner {
  fileprivate func value(
    _ request: ValueRequest
  ) async throws -> (value: Value, format: ValueFormat)? {
    guard let object = try await view.load(request.object),
      let attribute = object.entity.properties[request.slot].attribute
    else { return nil }
    return (object.shownValue(at: request.slot), ValueFormat(attribute))
  }
}
