/// Editing a form. Places are paths of indices from the root; the empty path is the root itself.
extension PredicateForm {
  /// The node at a place; nil for the root and for places that do not exist. O(depth).
  package func node(at place: [Int]) -> Node? {
    var group = root
    for (level, index) in place.enumerated() {
      guard group.nodes.indices.contains(index) else { return nil }
      if level == place.count - 1 { return group.nodes[index] }
      guard case .group(let inner) = group.nodes[index] else { return nil }
      group = inner
    }
    return nil
  }

  /// The group at a place; nil when there is none.
  package func group(at place: [Int]) -> Group? {
    if place.isEmpty { return root }
    guard case .group(let group)? = node(at: place) else { return nil }
    return group
  }

  package mutating func replace(_ node: Node, at place: [Int]) {
    guard let last = place.last else {
      if case .group(let group) = node { root = group }
      return
    }
    changeGroup(at: place.dropLast()) { group in
      if group.nodes.indices.contains(last) { group.nodes[last] = node }
    }
  }

  /// Inserts a node before the one at a place, or at the end of its group.
  package mutating func insert(_ node: Node, at place: [Int]) {
    guard let last = place.last else { return }
    changeGroup(at: place.dropLast()) { group in
      group.nodes.insert(node, at: min(max(0, last), group.nodes.count))
    }
  }

  /// Removes a node, and groups that become empty.
  package mutating func remove(at place: [Int]) {
    guard let last = place.last else {
      root.nodes = []
      return
    }
    let parent = Array(place.dropLast())
    changeGroup(at: parent[...]) { group in
      if group.nodes.indices.contains(last) { group.nodes.remove(at: last) }
    }
    if !parent.isEmpty, group(at: parent)?.nodes.isEmpty ?? false { remove(at: parent) }
  }

  /// Moves a node into the group before it, or into a new group; returns its new place.
  package mutating func indent(at place: [Int]) -> [Int] {
    guard let last = place.last, let node = node(at: place) else { return place }
    let parent = Array(place.dropLast())
    if last > 0, var before = group(at: parent + [last - 1]) {
      before.nodes.append(node)
      replace(.group(before), at: parent + [last - 1])
      remove(at: place)
      return parent + [last - 1, before.nodes.count - 1]
    }
    // The new group joins its conditions differently than the group around it; otherwise it would be
    // pointless.
    let kind: Kind = group(at: parent)?.kind == .any ? .all : .any
    replace(.group(Group(kind, [node])), at: place)
    return place + [0]
  }

  /// Moves a node out of its group, to the place after it; returns its new place. Does nothing at the top
  /// level.
  package mutating func outdent(at place: [Int]) -> [Int] {
    guard place.count > 1, let node = node(at: place) else { return place }
    let parent = Array(place.dropLast())
    let isAlone = group(at: parent)?.nodes.count == 1
    if isAlone {
      replace(node, at: parent)
      return parent
    }
    remove(at: place)
    let target = parent.dropLast() + [parent[parent.count - 1] + 1]
    insert(node, at: Array(target))
    return Array(target)
  }

  /// Moves a node down by a number of places within its group, or up when negative; returns its new place,
  /// which is the old one at the ends of the group.
  package mutating func move(at place: [Int], by step: Int) -> [Int] {
    guard let last = place.last, let node = node(at: place) else { return place }
    let parent = place.dropLast()
    let count = group(at: Array(parent))?.nodes.count ?? 0
    let target = min(max(0, last + step), count - 1)
    changeGroup(at: parent) { group in
      group.nodes.remove(at: last)
      group.nodes.insert(node, at: target)
    }
    return parent + [target]
  }

  /// The first row without a value, from top to bottom.
  package var firstIncomplete: [Int]? { Self.firstIncomplete(in: root, at: []) }

  private static func firstIncomplete(in group: Group, at place: [Int]) -> [Int]? {
    for (index, node) in group.nodes.enumerated() {
      switch node {
      case .row(let row): if row.lacksValue { return place + [index] }
      case .group(let inner):
        if let found = firstIncomplete(in: inner, at: place + [index]) { return found }
      case .other: continue
      }
    }
    return nil
  }

  private mutating func changeGroup(
    at place: ArraySlice<Int>, _ change: (inout Group) -> Void
  ) {
    Self.change(&root, at: place, change)
  }

  private static func change(
    _ group: inout Group, at place: ArraySlice<Int>, _ change: (inout Group) -> Void
  ) {
    guard let first = place.first else { return change(&group) }
    guard group.nodes.indices.contains(first), case .group(var inner) = group.nodes[first] else {
      return
    }
    Self.change(&inner, at: place.dropFirst(), change)
    group.nodes[first] = .group(inner)
  }
}
