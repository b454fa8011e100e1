import DatastoreCore
import Foundation
import SwiftDatastore

extension Effect {
  /// Uses other labels of objects from now on.
  static func useLabels(_ labels: Labels) -> Effect { .work { $0.labels = labels } }

  /// Saves the annotations of the file.
  static func keep(_ annotations: SchemaAnnotations) -> Effect {
    .work { runner in
      guard runner.environment.keepsAnnotations,
        let file = AnnotationsFile(
          of: runner.environment.subject, in: runner.environment.stateDirectory)
      else { return }
      runner.keep("The annotations of the file", at: file.url) {
        try file.write(annotations)
      }
    }
  }
}
