/// The profession of an employee of the sample companies.
public enum Position: String, CaseIterable, Sendable {
  case developer, tester, uiDesigner, productOwner, manager, accountant, support
}
