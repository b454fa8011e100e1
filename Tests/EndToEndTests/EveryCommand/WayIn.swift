@testable import DatastoreBrowser

/// The way to each place of the browser from the table: keys by their names, and typed texts.
enum WayIn {
  /// A step of a way at which another program writes the first row.
  static let othersWrite = "others write"

  static let all: [CommandScope: [String]] = [
    .table: [],
    .entities: ["shift-tab"],
    .detail: ["tab"],
    .hiddenEntities: ["shift-tab", "-", "+"],
    .meanings: [":", "column-meaning names name", "enter", "gm"],
    .meaning: ["%"],
    .value: ["V"],
    .lineSearch: ["V", "/"],
    .schema: ["gs"],
    .schemaPrompt: ["gs", "a"],
    .schemaReview: ["gs", "a", "phone text", "enter", "ctrl-s"],
    .filter: ["w"],
    .filterForm: ["W"],
    .filterValue: ["W", "a", "tab", "tab", "enter"],
    .filterChoice: ["W", "a", "enter"],
    .savedFilters: ["w", "number > 1", "ctrl-o"],
    .filterName: ["w", "number > 1", "ctrl-o", "enter"],
    .help: ["?"],
    .helpSearch: ["?", "/"],
    .importForm: ["P", "more.csv", "enter"],
    .importPicker: ["P", "more.csv", "enter", "enter"],
    .importName: ["P", "more.csv", "enter", "enter", "down", "enter", "down", "enter"],
    .conflicts: ["e", "ctrl-u", "mine", "enter", othersWrite, "ctrl-s"],
    .menu: ["f10"],
    .paste: ["\u{1B}[200~name\tnumber\nx\t1\n\u{1B}[201~"],
    .pivotParts: ["gp"],
    .review: ["e", "ctrl-u", "mine", "enter", "c"],
    .question: ["e", "ctrl-u", "mine", "enter", "ctrl-r"],
    .console: ["Q"],
    .themes: ["T"],
    .keyHints: ["g"],
    .chartGroups: ["b"],
    .dateGroups: ["gb"],
    .numberGroups: ["gB"],
    .palette: [":"],
    .derivedColumn: ["g="],
    .search: ["/"],
    .entityPicker: ["shift-tab", "/"],
    .rowNumber: ["#"],
    .numberFormat: [","],
    .views: ["gw", "mine", "enter", "gv"],
    .viewName: ["gw"],
    .cellEditor: ["e"],
    .objectPicker: ["e"],
    .valuePicker: ["e"],
    .blobEditor: ["e"],
    .pathPrompt: ["gS"],
    .export: ["E"],
  ]

  /// Places that no keys lead to for certain, and why.
  static let elsewhere: [CommandScope: String] = [
    .exporting: "it is there while a long file is written; `ExportTests` holds the writing up"
  ]

  /// Places that some stores do not have. A table that stands for a CSV or JSON file has neither references
  /// nor bytes, keeps its columns, and is saved by way of the review. A native store gets its tables from
  /// its model only.
  static let lacking: [CommandScope: Set<WalkedStore>] = [
    .importName: [.native],
    .schemaPrompt: [.csv, .json], .schemaReview: [.csv, .json],
    .objectPicker: [.csv, .json], .valuePicker: [.csv, .json], .blobEditor: [.csv, .json],
    .conflicts: [.csv, .json],
  ]
}
