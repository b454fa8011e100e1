import DatastoreCore
import TerminalUI

/// The user's annotations of the file, which add what the file itself does not declare; nil for stores that
/// cannot be annotated.
struct AnnotationState: FeatureState {
  var annotations: SchemaAnnotations?
}

extension BrowserState {
  var annotations: SchemaAnnotations? {
    get { self[AnnotationState.self].annotations }
    set { self[AnnotationState.self].annotations = newValue }
  }

  /// Applies annotations that change how the file is read: saves them, and opens the file again with them.
  mutating func annotate(_ annotations: SchemaAnnotations) {
    self.annotations = annotations
    following = .awaited
    if !canFollowTables {
      tell("The table is reloaded when the changes are saved or reverted.", .information)
    }
    request(.keep(annotations))
  }

  /// Applies annotations that change only how values are shown: saves them, and shows them at once.
  mutating func say(_ annotations: SchemaAnnotations) {
    self.annotations = annotations
    adoptMeaning(of: annotations)
    names.invalidateAll()
    detail.invalidateAllMembers()
    request(.keep(annotations))
    request(.useLabels(labels))
  }

  /// Applies changed annotations, in the way that they need.
  mutating func use(_ changed: SchemaAnnotations) {
    let present = annotations ?? SchemaAnnotations()
    guard changed != present else { return }
    if changed.readsAlike(present) {
      say(changed)
    } else {
      annotate(changed)
    }
  }

  /// Applies the annotated names, units and hidden entities.
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
