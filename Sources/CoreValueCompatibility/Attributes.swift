public import Foundation
import SwiftDatastore

// The types of attributes.
extension Bool: Boxing, Unboxing {}
extension Int: Boxing, Unboxing {}
extension Int8: Boxing, Unboxing {}
extension Int16: Boxing, Unboxing {}
extension Int32: Boxing, Unboxing {}
extension Int64: Boxing, Unboxing {}
extension UInt: Boxing, Unboxing {}
extension UInt8: Boxing, Unboxing {}
extension UInt16: Boxing, Unboxing {}
extension UInt32: Boxing, Unboxing {}
extension UInt64: Boxing, Unboxing {}
extension Float: Boxing, Unboxing {}
extension Double: Boxing, Unboxing {}
extension String: Boxing, Unboxing {}
extension Data: Boxing, Unboxing {}
extension Date: Boxing, Unboxing {}
extension Decimal: Boxing, Unboxing {}
extension UUID: Boxing, Unboxing {}
extension URL: Boxing, Unboxing {}
