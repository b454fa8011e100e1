import DatastoreCore

/// The unsaved edits of the schema.
struct SchemaEditing: FeatureState {
  /// The edits, in the order in which they were made.
  private(set) var edits: [SchemaEdit] = []
  /// The undone edits; the last one is redone first.
  private(set) var undone: [SchemaEdit] = []
  var isSaving = false

  mutating func stage(_ edit: SchemaEdit) {
    edits.append(edit)
    undone = []
  }

  mutating func undo() { if let edit = edits.popLast() { undone.append(edit) } }

  mutating func redo() { if let edit = undone.popLast() { edits.append(edit) } }

  /// Undoes all edits; they can be redone.
  mutating func revert() { while !edits.isEmpty { undo() } }

  /// Stages the edits of an earlier session again.
  mutating func restore(_ edits: [SchemaEdit]) {
    self.edits = edits
    undone = []
  }

  /// Forgets the edits after they were saved to the file.
  mutating func saved() { self = SchemaEditing() }

  /// `2 changes of the schema`.
  var title: String { Self.title(edits.count) }

  static func title(_ count: Int) -> String {
    count == 1 ? "1 change of the schema" : "\(count) changes of the schema"
  }
}

extension BrowserState {
  var schemaEditing: SchemaEditing {
    get { self[SchemaEditing.self] }
    _modify { yield &self[SchemaEditing.self] }
  }
}
