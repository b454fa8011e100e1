import DatastoreCore

/// What the user has decided about the columns of one entity's table. Columns are known by name, so that
/// the decisions outlive a change of the file.
struct ColumnSettings: Hashable, Sendable, Codable {
  /// All columns from left to right; empty while none was moved.
  var order: [String] = []
  /// Columns that were shown or hidden by hand.
  var shown: [String: Bool] = [:]
  /// Widths that were given by hand, in cells.
  var widths: [String: Int] = [:]
  /// The last of the columns that stay while the others scroll sideways.
  var frozenThrough: String?
  /// How the numbers of columns are written.
  var numbers: [String: NumberFormat] = [:]
  /// What columns draw of their values.
  var pictures: [String: ColumnPicture] = [:]
  /// The column whose numbers section headers show as a sparkline.
  var sparkline: String?
  /// What is computed of columns for the footer and for the headers of sections.
  var totals: [String: Predicate.Aggregate] = [:]
  /// Columns that are computed, in the order in which they were defined.
  var derived: [DerivedColumn] = []

  /// The narrowest and the widest that a column can be made.
  static let widths = 3...200

  /// Whether everything is as it would be by itself.
  var isDefault: Bool { self == ColumnSettings() }
}

/// Files of earlier versions say less, or say it in other words.
extension ColumnSettings {
  private enum FormerKeys: CodingKey { case grouped }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init()
    order = try values.decodeIfPresent([String].self, forKey: .order) ?? order
    shown = try values.decodeIfPresent([String: Bool].self, forKey: .shown) ?? shown
    widths = try values.decodeIfPresent([String: Int].self, forKey: .widths) ?? widths
    frozenThrough = try values.decodeIfPresent(String.self, forKey: .frozenThrough)
    numbers = try values.decodeIfPresent([String: NumberFormat].self, forKey: .numbers) ?? numbers
    let former = try decoder.container(keyedBy: FormerKeys.self)
    for name in try former.decodeIfPresent([String].self, forKey: .grouped) ?? [] {
      numbers[name] = .grouped
    }
    pictures =
      try values.decodeIfPresent([String: ColumnPicture].self, forKey: .pictures) ?? pictures
    sparkline = try values.decodeIfPresent(String.self, forKey: .sparkline)
    totals =
      try values.decodeIfPresent([String: Predicate.Aggregate].self, forKey: .totals) ?? totals
    derived = try values.decodeIfPresent([DerivedColumn].self, forKey: .derived) ?? derived
  }
}

/// The columns of a table in the order in which they are shown.
struct ColumnArrangement: Hashable, Sendable {
  /// Indices of all columns, hidden ones at their places.
  private(set) var all: [Int] = []
  /// Indices of the columns that are shown.
  private(set) var shown: [Int] = []
  /// How many of these stay in view.
  private(set) var frozen = 0
  /// How many the user has hidden.
  private(set) var hiddenByHand = 0

  /// - Parameter defaults: what holds for columns of which nothing is decided.
  init(_ columns: [TableColumn], _ settings: ColumnSettings, _ defaults: ColumnDefaults) {
    let places = Dictionary(
      (settings.order.isEmpty ? defaults.order(columns) : settings.order).enumerated()
        .map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    // New columns of the file follow those whose place is known.
    all = columns.indices.sorted { left, right in
      let (a, b) = (places[columns[left].name] ?? .max, places[columns[right].name] ?? .max)
      return (a, left) < (b, right)
    }
    shown = all.filter { index in
      settings.shown[columns[index].name]
        ?? !(columns[index].slot.map(defaults.hidden.contains) ?? false)
    }
    // A table without any column could not even be repaired by hand.
    if shown.isEmpty { shown = all }
    hiddenByHand = columns.count { settings.shown[$0.name] == false }
    if let last = all.firstIndex(where: { columns[$0].name == settings.frozenThrough }) {
      let leading = Set(all[...last])
      frozen = shown.count { leading.contains($0) }
    }
  }

  /// Where a column is among those that are shown; nil when it is hidden.
  func position(of column: Int) -> Int? { shown.firstIndex(of: column) }
}

/// What holds for the columns of an entity as long as the user decides nothing about them.
struct ColumnDefaults: Hashable, Sendable {
  /// Slots whose columns are shown only when asked for.
  var hidden: Set<Slot> = []
  /// Whether identifiers stay where the file has them; else they are behind the other columns.
  var keepsIdentifiersInPlace = false

  /// The names of all columns from left to right.
  func order(_ columns: [TableColumn]) -> [String] {
    if keepsIdentifiersInPlace { return columns.map(\.name) }
    return (columns.filter { !$0.isIdentifier } + columns.filter(\.isIdentifier)).map(\.name)
  }
}

/// What is decided about the columns of all entities.
struct TableSettings: Hashable, Sendable {
  /// By entity name.
  var columns: [String: ColumnSettings] = [:]
  /// Slots of to-many relationships whose members are counted quickly. The columns of
  /// others are shown only when asked for, since each screen of them reads a whole table.
  var quickCounts: ByEntity<Set<Slot>> = []
  /// Whether identifiers stay where the file has them.
  var keepsIdentifiersInPlace = false
  /// What objects are called; nil for what the schema itself shows.
  var labels: Labels?

  /// What holds for the columns of an entity by itself.
  func defaults(of entity: Entity) -> ColumnDefaults {
    let quick = quickCounts.indices.contains(entity.index) ? quickCounts[entity.index] : []
    let toMany = entity.relationshipSlots.filter { entity.links[$0]?.kind.isToMany ?? false }
    return ColumnDefaults(
      hidden: Set(toMany).subtracting(quick), keepsIdentifiersInPlace: keepsIdentifiersInPlace)
  }
}
