import DatastoreCore

/// What the user has said of the file that it does not say itself; nil for stores that nothing can be said
/// of.
struct AnnotationState: FeatureState {
  var annotations: SchemaAnnotations?
}

extension BrowserState {
  var annotations: SchemaAnnotations? {
    get { self[AnnotationState.self].annotations }
    set { self[AnnotationState.self].annotations = newValue }
  }

  /// Applies what the user says of the file: it is kept, and the file is opened again with it.
  mutating func annotate(_ annotations: SchemaAnnotations) -> [Effect] {
    self.annotations = annotations
    following = .awaited
    if !canFollowTables {
      message = Message(
        text: "The table is reloaded when the changes are saved or reverted.",
        severity: .information)
    }
    return [.keep(annotations)]
  }
}
