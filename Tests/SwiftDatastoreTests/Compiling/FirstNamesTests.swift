import Testing

// Promise: a name of the first SwiftDatastore is gone → all of its documents' names compile in Swift 5 and
// 6 mode.
/// Every name of the documents of the first SwiftDatastore compiles, a line for each; `try` before the model
/// is new. Publishers are in a product of their own.
@Suite struct FirstNamesTests {
  @Test(arguments: ["5", "6"])
  func everyNameCompiles(mode: String) throws {
    let errors = try SnippetCompiler(languageMode: mode).errors(
      in: #"""
        import SwiftDatastore
        import Foundation
        enum Position: Int16, AttributeValueType { case developer, uiDesigner }
        class Employee: DatastoreObject {
          @Attribute.NotOptional var id: UUID
          @Attribute.NotOptional private(set) var constant: Int
          @Attribute.NotOptional var name: String
          @Attribute.NotOptional var surname: String
          @Attribute.NotOptional var age: Int
          @Attribute.NotOptional var salary: Float
          @Attribute.Optional var secondName: String?
          @Attribute.Enum var position: Position?
          @Relationship.ToOne(inverse: \.$employees) var company: Company?
          @Relationship.ToMany.Ordered(inverse: \.$employee) var tasks: [Task]
          override func objectDidCreate() { id = UUID() }
          required init(managedObject: ManagedObjectLogic) { super.init(managedObject: managedObject) }
        }
        class Company: DatastoreObject { @Relationship.ToMany var employees: Set<Employee> }
        class Task: DatastoreObject { @Relationship.ToOne var employee: Employee? 
          override class var entityName: String { "Task" } }
        @MainActor func names(_ swiftDatastore: SwiftDatastore, _ vc: SwiftDatastoreViewContext, _ employee: Employee, _ company: Company) throws {
          let dataModel = try SwiftDatastoreModel(from: Employee.self, Company.self, Task.self)
          let datastore = try SwiftDatastore(dataModel: dataModel, storeName: "myapp.store")
          _ = try SwiftDatastore(dataModel: dataModel, storeName: "myapp.store.test", storingType: .test)
          let context = datastore.newContext()
          _ = datastore.createNewContext()
          _ = context.createNewChildContext()
          context.perform { context in
            let employee: Employee = try context.createObject()
            context.deleteObject(employee)
            try context.saveChanges()
            try context.saveChnages()
            try context.save()
            context.revertChanges()
            context.revertChnages()
            let _: [Employee] = try context.fetch(where: (\.$age > 30), orderBy: [.asc(\.$name), .desc(\.$salary)], offset: 10, limit: 20)
            let _: Employee? = try context.fetchFirst(where: (\.$age > 30), orderBy: [.desc(\.$salary)])
            _ = try context.count(where: (\Employee.$age > 30))
            _ = try context.deleteMany(Employee.self, where: (\.$surname ^= "Smith"))
            _ = try context.updateMany(Employee.self, where: \.$surname |= "Smith", propertiesToUpdate: [.init(\.$age, 3), .init(\.$name, "Jim")])
            _ = employee.willBeDeleted
            let properties: [[String: Any?]] = try context.fetch(Employee.self, properties: [.init(\.$salary), .init(\.$id)], where: (\.$age > 25), orderBy: [.desc(\.$name)])
            _ = properties
          } success: {
          } failure: { error in
          }
          context.perform { context in } completion: { }
          context.perform(block: { _ in throw CancellationError() }, success: {}, failure: { _ in })
          context.perform(block: { _ in }, completion: {})
          func kind<P: EntityPropertyKeyPath & EntityPropertyValueType>(_: KeyPath<Employee, P>) -> P.ValueType? { nil }
          company.employees = [employee]
          company.employees.insert(employee)
          let viewContext = swiftDatastore.sharedViewContext
          let _: [Employee] = try viewContext.fetch(where: (\.$age > 30), orderBy: [.asc(\.$name), .desc(\.$salary)], offset: 10, limit: 20)
          let c = FetchedObjectsController<Employee>(context: viewContext, where: \.$age > 22 || \.$age <= 60, orderBy: [.desc(\.$name), .asc(\.$age)], groupBy: \.$salary)
          try c.performFetch()
          _ = c.numberOfSections
          _ = c.numberOfObjects(inSection: 1)
          _ = c.getObject(at: IndexPath(row: 1, section: 3))
          _ = c.sectionName(inSection: 0)
          c.observeChanges { change in
            switch change {
            case .inserted(let employee, let indexPath): _ = (employee, indexPath)
            case .updated(let employee, let indexPath): _ = (employee, indexPath)
            case .deleted(let indexPath): _ = indexPath
            case .moved(let employee, let sourceIndexPath, let destinationIndexPath): _ = (employee, sourceIndexPath, destinationIndexPath)
            default: break
            }
          }
          employee.$name.observe { newValue in }
          let _: Where<Employee> = \.$name ?= "x"
          let _: Where<Employee> = \.$age >= 18 && (\.$name ^= "T") || (\.$name |= "e")
        }
        func other(_ context: SwiftDatastoreContext.Closure, _ car: Employee, _ saved: SwiftCoredataSavedChanges) throws {
          let _: Employee = try context.convert(existingObject: car)
          context.refresh(with: saved)
          _ = PropetyToFetch<Employee>(\.$salary)
        }
        """#)
    #expect(errors == [])
  }
}
