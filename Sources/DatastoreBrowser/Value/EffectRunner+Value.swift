import DatastoreCore
import SwiftDatastore

extension EffectRunner {
  /// Reads a value, unsaved changes included, and lays it out.
  func layOutValue(_ request: ValueRequest) {
    cancel(valueWork)
    valueWork = perform { runner in
      do {
        guard let (value, type) = try await runner.value(request.subject) else {
          let gone = CountFailure(message: "This object is no longer in the store.")
          runner.send(.valueLaidOut(request, .failure(gone)))
          return
        }
        let text = await Task.detached {
          ValueText(value, type: type, form: request.form, width: request.width)
        }.value
        try Task.checkCancellation()
        runner.send(.valueLaidOut(request, .success(text)))
      } catch is CancellationError {
        return
      } catch {
        runner.send(
          .valueLaidOut(request, .failure(CountFailure(message: String(describing: error)))))
      }
    }
  }

  private func value(
    _ subject: ValueRequest.Subject
  ) async throws -> (value: Value, type: AttributeType)? {
    switch subject {
    case .value(let value): return (value, .undefined)
    case .property(let reference, let slot):
      let objects = try await view.load(entity: reference.entity, keys: [reference.key])
      guard let object = objects.first, let attribute = object.entity.properties[slot].attribute
      else { return nil }
      return (object.shownValue(at: slot), attribute.type)
    }
  }
}
