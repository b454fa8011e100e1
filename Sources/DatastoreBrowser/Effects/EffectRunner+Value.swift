import DatastoreCore
import SwiftDatastore

extension EffectRunner {
  /// Reads a value, unsaved changes included, and lays it out.
  func layOutValue(_ request: ValueRequest) {
    cancel(valueWork)
    valueWork = perform { runner in
      do {
        let objects = try await runner.view.load(
          entity: request.object.entity, keys: [request.object.key])
        guard let object = objects.first,
          let attribute = object.entity.properties[request.slot].attribute
        else {
          let gone = CountFailure(message: "This object is no longer in the store.")
          runner.send(.valueLaidOut(request, .failure(gone)))
          return
        }
        let value = object.shownValue(at: request.slot)
        let text = await Task.detached {
          ValueText(value, type: attribute.type, form: request.form, width: request.width)
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
}
