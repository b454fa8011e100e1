import DatastoreCore
import TerminalUI

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
  mutating func annotate(_ annotations: SchemaAnnotations) {
    self.annotations = annotations
    following = .awaited
    if !canFollowTables {
      message = Message(
        text: "The table is reloaded when the changes are saved or reverted.",
        severity: .information)
    }
    request(.keep(annotations))
  }

  /// Applies what changes only how things are shown: it is kept, and shown at once.
  mutating func say(_ annotations: SchemaAnnotations) {
    self.annotations = annotations
    adoptMeaning(of: annotations)
    names.invalidateAll()
    detail.invalidateAllMembers()
    request(.keep(annotations))
    request(.useLabels(labels))
  }

  /// Shows names, units and the list of entities as something is said of the file.
  mutating func adoptMeaning(of annotations: SchemaAnnotations?) {
    let shown = entities.cursor
    labels = Labels(schema, annotations)
    units = Units(schema, annotations)
    entities.hide(
      Set(schema.entities.filter { annotations?.isHidden($0.name) ?? false }.map(\.index)))
    if let table { self.table?.units = units[table.query.entity] }
    detail.units = detail.object.map { units[$0.entity] } ?? [:]
    if let shown { entities.move(to: shown, height: layout.entityBody.rows) }
  }
}
