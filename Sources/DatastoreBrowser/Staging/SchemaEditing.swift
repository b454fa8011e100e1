import DatastoreCore

/// Edits of the schema that are not saved yet.
struct SchemaEditing: FeatureState {
  /// In the order in which they were made.
  private(set) var edits: [SchemaEdit] = []
  /// Those that were undone, the last one first to come back.
  private(set) var undone: [SchemaEdit] = []
  /// Whether they are being saved.
  var isSaving = false

  mutating func stage(_ edit: SchemaEdit) {
    edits.append(edit)
    undone = []
  }

  mutating func undo() { if let edit = edits.popLast() { undone.append(edit) } }

  mutating func redo() { if let edit = undone.popLast() { edits.append(edit) } }

  /// Undoes all of them, so that they can still be redone.
  mutating func revert() { while !edits.isEmpty { undo() } }

  /// Stages again what an earlier session has left.
  mutating func restore(_ edits: [SchemaEdit]) {
    self.edits = edits
    undone = []
  }

  /// What was staged is in the file now.
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
