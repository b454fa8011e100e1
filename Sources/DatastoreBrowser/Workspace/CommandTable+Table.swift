import DatastoreCore
import TerminalUI

extension CommandTable {
  /// The commands for rows and columns.
  static let tableCommands: [Command] = [
    Command(
      "open-row", titled: "Row details", synonyms: ["open", "record", "fields"], keys: ["enter"],
      label: "details",
      help:
        "Go to the details of this row; on a section header, hide or show its rows; in a table that was "
        + "computed, show the rows behind this one, or behind those that are selected.",
      in: [.table], hintRank: 1, unless: .noRow
    ) { state in
      if case .header = state.table?.currentLine {
        state.changeTable { $0.toggleSection(height: $1) }
      } else if !state.followDerivedRows() {
        state.showsDetail = true
        state.focus = .detail
      }
    },
    Command(
      "sort", titled: "Sort by column",
      synonyms: ["order", "arrange", "ascending", "descending", "rows"],
      keys: ["s"], label: "sort",
      help: "Sort by this column (or its numbers of objects): ascending, descending, not at all.",
      in: [.table], hintRank: 10, unless: .noColumn
    ) { $0.sortByCurrentColumn() },
    Command(
      "sort-further", synonyms: ["order", "then", "by", "several", "columns"], keys: ["S"],
      label: "sort further",
      help: "Also sort by this column where the others are equal: ascending, descending, not.",
      in: [.table], unless: .noColumn
    ) { $0.sortFurtherByCurrentColumn() },
    Command(
      "sort-by-relevance", synonyms: ["order", "rank"], keys: ["g*"], label: "relevance",
      help:
        "Sort what SEARCH has found in the filter by relevance: texts first that have the words more "
        + "often, are shorter, and have the rarer words; again, not at all.",
      in: [.table], unless: .noRanks
    ) { $0.sortByRelevance() },
    Command(
      "group", titled: "Group rows", synonyms: ["sections", "by"], keys: ["gb"], label: "group",
      help:
        "Put rows of equal value in this column into sections, dates by year, quarter, month, week, "
        + "day, weekday or hour; again to undo it.",
      in: [.table], hintRank: 11, unless: .notGroupable
    ) { $0.groupByCurrentColumn() },
    Command(
      "group-in-steps", synonyms: ["bins", "buckets", "sections"], keys: ["gB"],
      label: "group in steps",
      help:
        "Put the rows into sections by round steps of this column's numbers: tens, hundreds and so on.",
      in: [.table], unless: .noSteps
    ) { $0.groupInSteps() },
    Command(
      "follow-cell", titled: "Follow cell",
      synonyms: ["jump", "related", "reference", "relationship"], keys: ["o"], label: "follow",
      help: "Go to the object that this cell refers to.", in: [.table], hintRank: 5,
      unless: .nothingToFollow
    ) { $0.followCurrent() },
  ]

  static let sectionCommands: [Command] = [
    Command(
      "toggle-section", titled: "Fold section", synonyms: ["collapse", "expand", "hide", "group"],
      keys: ["z"], label: "fold",
      help: "Hide or show the rows of this section.", in: [.table], hintRank: 3,
      unless: .noSections
    ) { state in
      state.changeTable { $0.toggleSection(height: $1) }
    },
    Command(
      "toggle-all-sections", titled: "Fold all sections",
      synonyms: ["collapse", "expand", "hide", "groups"], keys: ["Z"], label: "fold all",
      help: "Hide the rows of all sections; press again to show them.", in: [.table], hintRank: 20,
      unless: .noSections
    ) { state in
      state.changeTable { $0.toggleAllSections(height: $1) }
    },
    Command(
      "previous-section", keys: ["["], label: "section",
      help: "Go to the previous section: the header of its rows, an entity, a topic.",
      in: [.table], wherever: [.hasSections], hintRank: 21, hintKeys: "[ ]",
      unless: .noSectionsToGoTo
    ) { $0.goToSection(by: -1) },
    Command(
      "next-section", keys: ["]"], label: "next section",
      help: "Go to the next section: the header of its rows, an entity, a topic.", in: [.table],
      wherever: [.hasSections], unless: .noSectionsToGoTo
    ) { $0.goToSection(by: 1) },
  ]
}

extension DisabledReason {
  static let noSectionsToGoTo = DisabledReason {
    $0.overlays.isEmpty ? noSections.reason($0) : nil
  }
}

extension BrowserState {
  /// Goes to another section in the current scope.
  mutating func goToSection(by step: Int) {
    guard let overlay = overlays.last else { return moveSection(by: step) }
    overlay.moveSection(by: step, &self)
  }

  /// Sorts by the column under the cursor: ascending, descending, not at all.
  mutating func sortByCurrentColumn() {
    guard let column = table?.currentColumn else { return }
    let present = table?.query.order.first
    let isSorted = present?.operand == column.sortOperand
    let order: [SortDescriptor] =
      isSorted
      ? (present?.ascending == true ? [SortDescriptor(column.sortOperand, ascending: false)] : [])
      : [SortDescriptor(column.sortOperand)]
    table?.query.order = order
    refetch(isKeepingPlace: false)
  }

  /// Sorts by relevance to the searches of the filter, or ends that sorting.
  mutating func sortByRelevance() {
    guard let entity, let table else { return }
    let isSorted = table.query.order.hasRank(of: entity)
    self.table?.query.order = isSorted ? [] : [.rank]
    refetch(isKeepingPlace: false)
    if !isSorted { request(.checkRanks(of: table.query.searched, entity.index)) }
  }

  /// Adds the column under the cursor as the last sort key. If it is a sort key already, reverses its order,
  /// and then removes it.
  mutating func sortFurtherByCurrentColumn() {
    guard let table, let column = table.currentColumn else { return }
    var order = table.query.order
    if let index = table.sortIndex(of: column) {
      if order[index].ascending {
        order[index].ascending = false
      } else {
        order.remove(at: index)
      }
    } else {
      order.append(SortDescriptor(column.sortOperand))
    }
    self.table?.query.order = order
    refetch(isKeepingPlace: false)
  }

  /// Groups by the column under the cursor, or ends the grouping if it is by that column. For dates, asks for
  /// the date part.
  mutating func groupByCurrentColumn() {
    guard let column = table?.currentColumn else { return }
    let present = table?.query.groupBy ?? []
    if present.starts(with: column.groupPath) { return group(by: nil) }
    if column.hasDateParts {
      open(DateGroupPicker(column))
      return
    }
    group(by: column.groupPath)
  }

  /// Groups by a path; nil ends the grouping.
  mutating func group(by path: [String]?) {
    table?.query.groupBy = path
    table?.query.sectionOrder = nil
    // The folds of another group key have no meaning.
    table?.adopt(SectionFolds())
    refetch(isKeepingPlace: false)
  }
}
