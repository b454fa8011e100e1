@testable import DatastoreBrowser

/// The way to each place of the browser from the table: keys by their names, and typed texts.
enum WayIn {
  /// A step of a way at which another program writes the first row.
  static let othersWrite = "others write"

  static let all: [CommandScope: [String]] = [
    .table: [],
    .entities: ["shift-tab"],
    .detail: ["tab"],
    HiddenEntityPicker.scope: ["shift-tab", "-", "+"],
    MeaningList.scope: [":", "column-meaning names name", "enter", "gm"],
    MeaningForm.scope: ["%"],
    ValueScreen.scope: ["V"],
    LineSearchPrompt.scope: ["V", "/"],
    SchemaScreen.scope: ["gs"],
    SchemaPrompt.scope: ["gs", "a"],
    SchemaReview.scope: ["gs", "a", "phone text", "enter", "ctrl-s"],
    .filter: ["w"],
    .filterForm: ["W"],
    .filterValue: ["W", "a", "tab", "tab", "enter"],
    .filterChoice: ["W", "a", "enter"],
    .savedFilters: ["w", "number > 1", "ctrl-o"],
    .filterName: ["w", "number > 1", "ctrl-o", "enter"],
    HelpState.scope: ["?"],
    .helpSearch: ["?", "/"],
    ImportForm.scope: ["P", "more.csv", "enter"],
    ImportPicker.scope: ["P", "more.csv", "enter", "enter"],
    .importName: ["P", "more.csv", "enter", "enter", "down", "enter", "down", "enter"],
    ConflictScreen.scope: ["e", "ctrl-u", "mine", "enter", othersWrite, "ctrl-s"],
    MenuScreen.scope: ["f10"],
    PasteScreen.scope: ["\u{1B}[200~name\tnumber\nx\t1\n\u{1B}[201~"],
    PivotPicker.scope: ["gp"],
    ReviewScreen.scope: ["e", "ctrl-u", "mine", "enter", "c"],
    .question: ["e", "ctrl-u", "mine", "enter", "ctrl-r"],
    SQLConsole.scope: ["Q"],
    ThemePicker.scope: ["T"],
    KeyHints.scope: ["g"],
    ChartGroupPicker.scope: ["b"],
    DateGroupPicker.scope: ["gb"],
    NumberGroupPicker.scope: ["gB"],
    PaletteState.scope: [":"],
    DerivedColumnPrompt.scope: ["g="],
    SearchPrompt.scope: ["/"],
    EntityPicker.scope: ["shift-tab", "/"],
    RowNumberPrompt.scope: ["#"],
    NumberFormatPrompt.scope: [","],
    ViewList.scope: ["gw", "mine", "enter", "gv"],
    ViewNamePrompt.scope: ["gw"],
    CellEditor.scope: ["e"],
    ObjectPicker.scope: ["e"],
    ValuePicker.scope: ["e"],
    BlobEditor.scope: ["e"],
    PathPrompt.scope: ["gS"],
    ExportScreen.scope: ["E"],
  ]

  /// Places that no keys lead to for certain, and why.
  static let elsewhere: [CommandScope: String] = [
    ExportProgress.scope:
      "it is there while a long file is written; `ExportTests` holds the writing up"
  ]

  /// Places that some stores do not have. A table that stands for a CSV or JSON file has neither references
  /// nor bytes, keeps its columns, and is saved by way of the review. A native store gets its tables from
  /// its model only.
  static let lacking: [CommandScope: Set<WalkedStore>] = [
    .importName: [.native],
    SchemaPrompt.scope: [.csv, .json], SchemaReview.scope: [.csv, .json],
    ObjectPicker.scope: [.csv, .json], ValuePicker.scope: [.csv, .json],
    BlobEditor.scope: [.csv, .json], ConflictScreen.scope: [.csv, .json],
  ]
}
