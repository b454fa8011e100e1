import TerminalUI

extension CommandTable {
  /// The commands for the persistent history of a Core Data store.
  static let storeHistoryCommands: [Command] = [
    Command(
      "store-history", titled: "Store history",
      synonyms: ["persistent", "transactions", "coredata"], keys: ["gj"],
      label: "store history",
      help:
        "Show what a Core Data store has recorded of its changes: who has changed what, when, and which properties. "
        + "enter goes to the object, if it is still there.",
      in: [.table, .entities], unless: .noStoreHistory
    ) { $0.openStoreHistory() }
  ]
}

extension DisabledReason {
  static let noStoreHistory = DisabledReason {
    $0.editing.access == .coreData && StoreHistory($0.schema) != nil
      ? nil : "Only Core Data stores record such a history, and not all of them."
  }
}
