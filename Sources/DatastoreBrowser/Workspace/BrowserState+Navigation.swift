import DatastoreCore
import TerminalUI

/// Going from table to table and back.
extension BrowserState {
  /// Shows the table of a query from the top.
  mutating func openTable(_ query: TableQuery, title: String) {
    table = TableState(query: query, title: title, schema: schema, settings: tableSettings)
    table?.units = units[query.entity]
    entities.move(to: query.entity, height: layout.entityBody.rows)
    reportColumnFaults()
    refetch(isKeepingPlace: false)
  }

  /// Reports the computed columns that are left out, and why.
  mutating func reportColumnFaults() {
    guard let faults = table?.definitions.faults, !faults.isEmpty else { return }
    tell(faults.joined(separator: " "), .warning)
  }

  /// Reads the table's list again, after its query has changed or to show the changes of others.
  mutating func refetch(isKeepingPlace: Bool) {
    guard var table else { return }
    lastFetch += 1
    // Keys that come before the first rows in another order are for that order.
    if !isKeepingPlace, !table.isAwaitingFirstRows, overlays.isEmpty, editing.pendingAnswer == nil {
      awaitAnswer(.list)
    }
    table.beginFetch(lastFetch, isKeepingPlace: isKeepingPlace)
    self.table = table
    request(.fetch(lastFetch, table.query))
  }

  /// Counts the objects of all entities again.
  mutating func countEntities() {
    for entity in entities.names.indices where entities.beginCounting(entity) {
      request(.count(entity: entity))
    }
  }

  /// Shows the entity under the list's cursor in its view as the user left it. Backspace leads back.
  mutating func openSelectedEntity() {
    if let entity = entities.cursor { openEntity(entity) }
  }

  /// Shows an entity in its view as the user left it, even one that the list leaves out.
  mutating func openEntity(_ entity: EntityIndex) {
    entities.move(to: entity, height: layout.entityBody.rows)
    focus = .table
    if let table, table.query.entity == entity, table.isOwnView { return }
    pushPlace(endsWay: true)
    if let view = views[entity] { return show(view) }
    openTable(TableQuery(entity: entity), title: schema.entities[entity].name)
  }

  /// The current place, to come back to.
  var place: Place? {
    table.map { Place(table: $0, detail: detail, focus: focus) }
  }

  /// Remembers the current place before going somewhere new.
  mutating func pushPlace(endsWay: Bool = false) {
    guard var place else { return }
    place.table.releaseLargeList()
    place.endsWay = endsWay
    if place.table.isOwnView { views[place.table.query.entity] = place }
    history.append(place)
    if history.count > 50 { history.removeFirst() }
    forwardHistory = []
  }

  /// Shows the table of another object with the cursor on it.
  mutating func follow(to object: ObjectReference) {
    pushPlace()
    openTable(
      TableQuery(entity: object.entity), title: schema.entities[object.entity].name)
    table?.isOwnView = false
    table?.want(object.key)
  }

  /// Shows the members of a to-many relationship of an object as a table of their own.
  mutating func followMembers(of object: ObjectReference, slot: Slot) {
    let entity = schema.entities[object.entity]
    guard let link = entity.links[slot] else { return }
    guard let scope = memberCondition(object, link) else {
      // The members have no reference to their owner, so their keys must be read first.
      return request(.loadMemberKeys(object, slot: slot))
    }
    openMembers(of: object, link, scope)
  }

  /// Shows the objects with these keys as the members of a relationship, unless the user has gone elsewhere
  /// meanwhile.
  mutating func openMembers(of object: ObjectReference, slot: Slot, keys: [RowKey]) {
    let isHere = detail.object == object || table?.query.entity == object.entity
    guard isHere, overlays.isEmpty, let link = schema.entities[object.entity].links[slot] else {
      return
    }
    openMembers(of: object, link, .hasKey(in: keys))
  }

  private mutating func openMembers(
    of object: ObjectReference, _ link: RelationshipLink, _ scope: Predicate
  ) {
    let title = "\(link.description.name) of \(currentName(of: object))"
    pushPlace()
    var query = TableQuery(entity: link.destination)
    query.scope = scope
    openTable(query, title: title)
    table?.isOwnView = false
  }

  /// The condition for the members of a relationship: their inverse leads to the owner.
  private func memberCondition(
    _ object: ObjectReference, _ link: RelationshipLink
  ) -> Predicate? {
    guard let inverse = link.inverseSlot else { return nil }
    let destination = schema.entities[link.destination]
    let isToMany = destination.links[inverse]?.kind.isToMany ?? false
    return .comparison(
      Predicate.Comparison(
        .keyPath([destination.properties[inverse].name]), .equal,
        .value(.key(object.key)), quantifier: isToMany ? .any : .direct))
  }

  /// The name of the shown object.
  func currentName(of object: ObjectReference) -> String {
    let entity = schema.entities[object.entity]
    if let snapshot = detail.snapshot, snapshot.object == object,
      let name = labels[object.entity].text(of: { part in
        let content = snapshot.fields.first { $0.slot == part.slot }?.content
        switch content?.kind {
        case .value: return content.flatMap { DisplayName.isName($0.text) ? $0.text : nil }
        case .reference(let key):
          return part.destination.flatMap { names[$0, key]?.shown.text }
        default: return nil
        }
      })
    {
      return name
    }
    return "\(entity.name) \(DisplayName.placeholder(key: object.key))"
  }

  /// The name of an object after the name of its entity, unless it begins with that.
  func titledName(of object: ObjectReference, in entity: String? = nil) -> String {
    let name = currentName(of: object)
    let entity = entity ?? schema.entities[object.entity].name
    return name.hasPrefix(entity) ? name : "\(entity) \(name)"
  }

  /// Goes back to the last place.
  mutating func goBack() {
    guard let place = history.popLast() else {
      if isAboveAnother { request(.leaveStore) }
      return
    }
    if var present = self.place {
      present.endsWay = place.endsWay
      if present.table.isOwnView { views[present.table.query.entity] = present }
      forwardHistory.append(present)
    }
    show(place)
  }

  /// Goes forward to the place that the user last went back from.
  mutating func goForward() {
    guard let place = forwardHistory.popLast() else { return }
    if var present = self.place {
      present.endsWay = place.endsWay
      history.append(present)
    }
    show(place)
  }

  /// Shows a place as the user left it.
  mutating func show(_ place: Place) {
    table = place.table
    let name = schema.entities[place.table.query.entity].name
    table?.settings = tableSettings.columns[name] ?? ColumnSettings()
    table?.units = units[place.table.query.entity]
    table?.invalidateCounts()
    detail = place.detail
    detail.revive()
    focus = openPanels.contains(place.focus) ? place.focus : .table
    entities.move(to: place.table.query.entity, height: layout.entityBody.rows)
    // The old list is shown while it is read again: it may have changed meanwhile.
    refetch(isKeepingPlace: true)
    request(.watch(detail.object))
  }

  /// Follows the relationship under the cursor of the focused panel.
  mutating func followCurrent() {
    switch focus {
    case .entities: openSelectedEntity()
    case .table:
      if let table, let column = table.currentColumn, column.isToMany, let slot = column.slot,
        let key = table.currentKey
      {
        return followMembers(
          of: ObjectReference(entity: table.query.entity, key: key), slot: slot)
      }
      guard let object = currentReference else { return }
      follow(to: object)
    case .detail:
      guard let object = detail.object else { return }
      switch detail.currentItem {
      case .member(let slot, let member):
        guard let link = schema.entities[object.entity].links[slot] else { return }
        follow(to: ObjectReference(entity: link.destination, key: member.key))
      case .field(let slot):
        guard let field = detail.currentField, let destination = field.destination else {
          return
        }
        if case .reference(let key) = field.content?.kind {
          return follow(to: ObjectReference(entity: destination, key: key))
        }
        if field.content == nil { followMembers(of: object, slot: slot) }
      case nil: break
      }
    }
  }

  /// The object that the cell under the cursor refers to.
  var currentReference: ObjectReference? {
    guard let table, let column = table.currentColumn, !column.isToMany,
      let destination = column.destination, let key = table.currentKey,
      case .reference(let related) = table.rows[key]?.cells[table.column].kind
    else { return nil }
    return ObjectReference(entity: destination, key: related)
  }

  /// Why there is nothing to follow from here; nil if there is something.
  var reasonNotToFollow: String? {
    switch focus {
    case .entities: return nil
    case .table:
      guard let column = table?.currentColumn, column.destination != nil else {
        return "This column is not a relationship. Go to one with ← and →."
      }
      if column.isToMany { return table?.currentKey == nil ? "There is no row here." : nil }
      guard let object = currentReference else { return "There is no related object here." }
      return reasonNotToGo(to: object)
    case .detail:
      guard let field = detail.currentField else { return "There is nothing to follow." }
      guard field.destination != nil else {
        return "\(field.name) is an attribute; only relationships lead to other objects."
      }
      if field.content?.kind == .null { return "\(field.name) refers to no object." }
      if let entity = field.destination, case .reference(let key)? = field.content?.kind {
        return reasonNotToGo(to: ObjectReference(entity: entity, key: key))
      }
      return nil
    }
  }

  private func reasonNotToGo(to object: ObjectReference) -> String? {
    guard case .missing(let reference)? = names[object.entity, object.key] else { return nil }
    return "There is no \(schema.entities[object.entity].name) to go to: \(reference) is missing."
  }
}

extension DisabledReason {
  static let nothingToFollow = DisabledReason { $0.reasonNotToFollow }
}
