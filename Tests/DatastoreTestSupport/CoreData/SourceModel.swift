/// A source model with all that the format has.
package enum SourceModel {
  package static let office = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <!-- Made by hand. -->
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        <entity name="Company" representedClassName="Company" syncable="YES">
            <attribute name="name" attributeType="String" minValueString="2" regularExpressionString="[A-Z].*"/>
            <relationship name="staff" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
    destinationEntity="Person" inverseName="company" inverseEntity="Person"/>
            <fetchedProperty name="rich" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="Person" predicateString="pay &gt; 9"/>
            </fetchedProperty>
            <uniquenessConstraints>
                <uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <entity name="Person" representedClassName="Person" isAbstract="YES" syncable="YES" elementID="Human">
            <attribute name="born" optional="YES" attributeType="Date" defaultDateTimeInterval="3600" \
    usesScalarValueType="NO"/>
            <attribute name="first" optional="YES" attributeType="String" defaultValueString="a &quot;b&quot; &#38; c"/>
            <attribute name="surname" optional="YES" attributeType="String" elementID="last"/>
            <attribute name="pay" attributeType="Decimal" defaultValueString="1.5" minValueString="0" \
    maxValueString="100"/>
            <attribute name="isActive" attributeType="Boolean" defaultValueString="YES"/>
            <attribute name="isDirty" optional="YES" transient="YES"/>
            <attribute name="initial" optional="YES" attributeType="String" derived="YES" \
    derivationExpression="uppercase:(first)"/>
            <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
            <attribute name="note" optional="YES" attributeType="Transformable" \
    valueTransformerName="NSSecureUnarchiveFromData"/>
            <attribute name="floor" optional="YES" attributeType="Integer 16" indexed="YES"/>
            <relationship name="company" optional="YES" maxCount="1" deletionRule="Nullify" \
    destinationEntity="Company" inverseName="staff" inverseEntity="Company"/>
            <fetchIndex name="byName">
                <fetchIndexElement property="surname" type="Binary" order="ascending"/>
                <fetchIndexElement property="born" type="Binary" order="descending"/>
            </fetchIndex>
        </entity>
        <entity name="Manager" parentEntity="Person" syncable="YES">
            <attribute name="level" attributeType="Integer 64" defaultValueString="3"/>
            <relationship name="deputies" optional="YES" toMany="YES" minCount="1" maxCount="4" \
    deletionRule="Deny" destinationEntity="Person"/>
        </entity>
        <configuration name="Local"><memberEntity name="Company"/></configuration>
    </model>
    """
}
