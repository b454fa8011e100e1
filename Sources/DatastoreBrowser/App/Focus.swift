/// The panel that keys go to.
enum Focus: Int, Hashable, Sendable, CaseIterable {
  case entities
  case table
  case detail
}

/// Where a command applies: one of the panels, or what lies over them.
enum CommandScope: Hashable, Sendable, CaseIterable {
  case entities
  case table
  case detail
  case help
  case filter

  init(_ focus: Focus) {
    switch focus {
    case .entities: self = .entities
    case .table: self = .table
    case .detail: self = .detail
    }
  }

  /// The heading of its commands in the help.
  var title: String {
    switch self {
    case .entities: "In the list of entities"
    case .table: "In the table"
    case .detail: "In the details"
    case .help: "In this help"
    case .filter: "In the filter line"
    }
  }
}
