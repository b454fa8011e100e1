/// What an employee of the sample companies does.
public enum Position: String, CaseIterable, Sendable {
  case developer, tester, uiDesigner, productOwner, manager, accountant, support
}
