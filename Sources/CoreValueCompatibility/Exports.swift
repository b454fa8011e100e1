// Code that was written for CoreValue imports this module alone; its types take precedence over those of
// Foundation with the same names.
@_exported public import Foundation
@_exported public import SwiftDatastore
