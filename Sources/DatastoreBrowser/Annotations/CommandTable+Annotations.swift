import DatastoreCore
import TerminalUI

extension CommandTable {
  static let annotationCommands: [Command] =
    [
      Command(
        "dates", titled: "Date format", synonyms: ["time", "timestamp", "unix"], keys: ["%"],
        label: "dates",
        help: "Set how this column stores dates, such as Unix milliseconds, or that it holds none.",
        in: [.table], unless: .noForeignColumn
      ) { $0.openDates() }
    ]

  /// The annotations other than of dates.
  static let meaningCommands: [Command] =
    [
      Command(
        "label", titled: "Object names", synonyms: ["caption", "display"], keys: ["gn"],
        label: "names",
        help:
          "Set the properties that name the objects of this entity: “:label name, surname”; empty to let "
          + "the names of its attributes decide.", in: CommandScope.panels, unless: .noTable,
        taking: Command.Argument("PROPERTIES") { state, text in
          if let entity = state.entity { state.setLabel(text, of: entity) }
        }
      ) { $0.openLabel() },
      Command(
        "unit", titled: "Unit of column", synonyms: ["measure"], keys: ["gu"], label: "unit",
        help: "Set the unit of this column's numbers: “:unit kg”; empty for none.",
        in: [.table], unless: .noNumbers,
        taking: Command.Argument("UNIT") { state, text in
          guard let entity = state.entity, let attribute = state.attributeUnderCursor else {
            return
          }
          state.setUnit(text, of: attribute.name, in: entity)
        }
      ) { $0.openUnit() },
      Command(
        "type", titled: "Type of column", synonyms: ["kind", "boolean"], keys: ["gk"],
        label: "type",
        help: "Read this column as one of another type: “:type boolean”.",
        in: [.table], unless: .noForeignColumn,
        taking: Command.Argument("TYPE") { state, text in
          guard let entity = state.entity, let attribute = state.attributeUnderCursor else {
            return
          }
          state.setType(text, of: attribute.name, in: entity.name)
        }
      ) { $0.openTypes() },
      Command(
        "declare-relationship", synonyms: ["foreign", "reference", "refers", "join"], keys: ["gr"],
        label: "refers to",
        help:
          "Set the column that this one refers to, as if a foreign key declared it: “:declare-relationship customers.id”.",
        in: [.table], unless: .noForeignColumn,
        taking: Command.Argument("TABLE.COLUMN") { $0.declare(reference: $1) }
      ) { $0.openReferences() },
      Command(
        "hide-entity", synonyms: ["table"], keys: ["-"], label: "hide",
        help: "Hide this entity in the list; + shows it again.", in: [.entities],
        unless: .noEntities
      ) { $0.hideEntity() },
      Command(
        "hidden-entities", synonyms: ["unhide", "tables"], keys: ["+"], label: "hidden",
        help: "List the hidden entities, and show one again.", in: [.entities], unless: .noEntities
      ) { state in
        state.open(HiddenEntityPicker(state))
      },
      Command(
        "meanings", titled: "Annotations", synonyms: ["meaning", "declared"], keys: ["gm"],
        label: "said",
        help:
          "List what the browser remembers about the file (names, relationships, dates, types, units, hidden "
          + "entities), and take it back.", in: CommandScope.panels, unless: .noEntities
      ) { state in
        state.open(MeaningList(state.annotations))
      },
    ]
}

extension DisabledReason {
  /// The column cannot be annotated: only third-party files leave the meaning of columns open.
  static let noForeignColumn = DisabledReason { state in
    guard state.table?.currentColumn != nil else { return "This table has no columns." }
    guard let attribute = state.attributeUnderCursor else { return "This is a relationship." }
    return attribute.declaredType == nil
      ? "This store declares which of its columns hold dates." : nil
  }
}
