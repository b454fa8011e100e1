public import DatastoreCore
public import Foundation

/// The type of an attribute that holds dates, with or without a time.
public protocol DateValueType: AttributeValueType {}

extension Date: DateValueType {}
extension CalendarDate: DateValueType {}
