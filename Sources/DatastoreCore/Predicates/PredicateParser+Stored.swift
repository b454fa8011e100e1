/// To-one relationships whose columns store a value of their object: what a person writes about one means the
/// value that is shown. Objects are compared by their keys, which only programs know.
extension PredicateParser {
  /// The value in the column of a relationship, if the operand is one that stores a value; any other operand
  /// unchanged.
  func stored(_ operand: ParsedOperand) -> ParsedOperand {
    guard case .keyPath(var path) = operand.operand else { return operand }
    if operand.type != .key {
      // The name of the column, where the relationship has another one.
      guard path.count == 2, let way = alias(written(operand.range), of: entity), way == path else {
        return operand
      }
      path.removeLast()
    }
    path.append(PredicatePath.storedStep)
    guard let resolved = try? PredicatePath(path, from: entity, in: schema) else { return operand }
    var stored = operand
    stored.operand = .keyPath(path)
    stored.type = OperandType(resolved.destination)
    return stored
  }

  /// Compares relationships by the values in their columns, unless the other side is an object.
  func takeStoredValues(of sides: inout Sides) {
    let (left, right) = (sides.left, sides.right)
    if left.type != .key || !isObject(right) { sides.left = stored(left) }
    guard !isObject(left) else { return }
    sides.right = right.members.isEmpty ? stored(right) : right
    sides.right.members = right.members.map(stored)
  }

  /// Whether an operand is an object, several or none, as opposed to a value.
  private func isObject(_ operand: ParsedOperand) -> Bool {
    switch operand.operand {
    case .keyPath: operand.type == .key && stored(operand).type == .key
    case .value(let value): value.isNull || operand.isArgument && value.key != nil
    case .list: !operand.members.isEmpty && operand.members.allSatisfy(isObject)
    case .count, .aggregate, .arithmetic, .function: false
    }
  }
}
