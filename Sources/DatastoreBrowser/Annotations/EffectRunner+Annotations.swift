import DatastoreCore
import Foundation
import SwiftDatastore

extension Lane {
  /// Writes of what the user has said of the file.
  static let annotations = Lane("annotations", .inOrder, atEnd: .completed)
}

extension Effect {
  /// Calls objects otherwise from now on.
  static func useLabels(_ labels: Labels) -> Effect { .work { $0.labels = labels } }

  /// Keeps what the user has said of the file for the next time.
  static func keep(_ annotations: SchemaAnnotations) -> Effect {
    .work { runner in
      guard runner.environment.keepsAnnotations,
        let file = AnnotationsFile(
          of: runner.environment.subject, in: runner.environment.stateDirectory)
      else { return }
      runner.keep("The annotations of the file", at: file.url, in: .annotations) {
        try file.write(annotations)
      }
    }
  }
}
