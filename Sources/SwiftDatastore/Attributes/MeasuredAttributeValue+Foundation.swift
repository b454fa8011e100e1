public import Foundation

extension String: MeasuredAttributeValue {}
extension Data: MeasuredAttributeValue {}
extension URL: MeasuredAttributeValue {}
