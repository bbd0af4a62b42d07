// Reads an index document of createIndexes: what it may say, and how it goes with those that are there.
import { Int32 } from 'bson'
import { type Collation, isSameCollation, parseCollation } from '../bson/collation.ts'
import { equalValues } from '../bson/compare.ts'
import { type Doc, isDoc, isNumeric, type Value } from '../bson/value.ts'
import { type CommandError, commandError } from '../errors.ts'
import { parseFilter } from '../query/filter.ts'
import type { FilterNode } from '../query/filter-node.ts'
import { isReferenceField } from '../query/parse-operator.ts'
import { type Index, toNumber } from './index-definition.ts'
import { showValue } from './show-value.ts'

/** Most indexes of a collection, that on `_id` included. */
export const MOST_INDEXES = 64

const MOST_PARTS = 32
const LONGEST_NAME = 127
const LONGEST_TTL_SECONDS = 2_147_483_647

const FLAGS: ReadonlySet<string> = new Set(['unique', 'sparse', 'hidden', 'background'])
const SPECIAL: ReadonlySet<string> = new Set([
  'text',
  '2d',
  '2dsphere',
  'hashed',
  'geoHaystack',
  'columnstore'
])
/** Fields that MongoDB knows for indexes that this engine does not have. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'weights',
  'default_language',
  'language_override',
  'textIndexVersion',
  '2dsphereIndexVersion',
  'bits',
  'min',
  'max',
  'bucketSize',
  'wildcardProjection',
  'columnstoreProjection',
  'clustered',
  'prepareUnique',
  'storageEngine',
  'dropDups'
])

function cannot(message: string): CommandError {
  return commandError('CannotCreateIndex', message)
}

function checkKey(key: Value): Doc {
  if (!isDoc(key)) throw commandError('TypeMismatch', "The field 'key' must be an object")
  if (key.size === 0) throw cannot('Index keys cannot be an empty object.')
  if (key.size > MOST_PARTS) throw cannot(`Index key pattern has more than ${MOST_PARTS} fields`)
  for (const [path, direction] of key) {
    checkPath(path)
    if (typeof direction === 'string') {
      const known = SPECIAL.has(direction)
        ? `Index type '${direction}' is not supported`
        : `Unknown index plugin '${direction}'`
      throw cannot(known)
    }
    if (!isNumeric(direction)) {
      throw cannot(
        `Values in v:2 index key pattern cannot be of type other than number or string: ${showValue(key)}`
      )
    }
    const number = toNumber(direction)
    if (number === 0 || Number.isNaN(number)) {
      throw cannot(`Values in the index key pattern cannot be 0. Found ${showValue(key)}`)
    }
  }
  return key
}

function checkPath(path: string): void {
  if (path === '' || path.split('.').includes(''))
    throw cannot('Index keys cannot contain an empty field.')
  if (path === '$**' || path.endsWith('.$**')) throw cannot('Wildcard indexes are not supported')
  if (path.split('.').some((piece) => piece.startsWith('$') && !isReferenceField(piece))) {
    throw cannot(`Index key contains an illegal field name: field name starts with '$': ${path}`)
  }
}

const INDEXABLE: ReadonlySet<string> = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])

/** MongoDB lets few operators into the filter of a partial index. */
function isAllowedInPartial(node: FilterNode): boolean {
  switch (node.kind) {
    case 'and':
    case 'or':
      return node.children.every(isAllowedInPartial)
    case 'compare':
      return INDEXABLE.has(node.operator)
    case 'in':
      return node.regexes.length === 0
    case 'exists':
    case 'type':
      return true
    case 'always':
      return node.value
    default:
      return false
  }
}

function checkPartial(filter: Value, collation: Collation | undefined): Doc {
  if (!isDoc(filter)) {
    throw commandError('TypeMismatch', "The field 'partialFilterExpression' must be an object")
  }
  if (!isAllowedInPartial(parseFilter(filter, { collation }).node)) {
    throw cannot(`Expression not supported in partial index: ${showValue(filter)}`)
  }
  return filter
}

function checkSeconds(value: Value, key: Doc): void {
  if (!isNumeric(value)) throw cannot("TTL index 'expireAfterSeconds' option must be numeric")
  const seconds = toNumber(value)
  if (!(seconds >= 0 && seconds <= LONGEST_TTL_SECONDS)) {
    throw cannot(
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, 0 to ${LONGEST_TTL_SECONDS}`
    )
  }
  if (key.size > 1)
    throw cannot('TTL indexes are single-field indexes, compound indexes do not support TTL')
  if (key.has('_id'))
    throw cannot("The field 'expireAfterSeconds' is not valid for an _id index specification")
}

/** A flag is a boolean or a number; only a true one is kept. */
function isTrue(name: string, value: Value): boolean {
  if (typeof value === 'boolean') return value
  if (isNumeric(value)) return toNumber(value) !== 0
  throw commandError(
    'TypeMismatch',
    `The field '${name}' has value ${showValue(value)}, which is not convertible to bool`
  )
}

function unknownField(name: string, spec: Doc): CommandError {
  return commandError(
    'InvalidIndexSpecificationOption',
    `The field '${name}' is not valid for an index specification. Specification: ${showValue(spec)}`
  )
}

function checkName(spec: Doc): string {
  const name = spec.get('name')
  if (name === undefined) {
    throw commandError(
      'FailedToParse',
      "The 'name' field is a required property of an index specification"
    )
  }
  if (typeof name !== 'string')
    throw commandError('TypeMismatch', "The field 'name' must be a string")
  if (name === '' || name === '*' || name.length > LONGEST_NAME * 8) {
    throw cannot(`'${name}' is not a valid index name`)
  }
  return name
}

/** True for the key pattern of the index that every collection has. */
export function isIdKey(key: Doc): boolean {
  const direction = key.get('_id')
  return key.size === 1 && isNumeric(direction ?? null) && toNumber(direction) === 1
}

/** One more field of the document; undefined when it is not to be kept. */
function checkedField(
  name: string,
  value: Value,
  spec: Doc,
  collation: Collation | undefined
): Value {
  if (FLAGS.has(name)) return isTrue(name, value) ? true : undefined
  switch (name) {
    case 'expireAfterSeconds':
      checkSeconds(value, spec.get('key') as Doc)
      return value
    case 'partialFilterExpression':
      return checkPartial(value, collation)
    case 'collation':
      return collation?.spec
    default:
      if (OF_OTHERS.has(name)) throw cannot(`The index option '${name}' is not supported`)
      throw unknownField(name, spec)
  }
}

function checkVersion(version: Value): void {
  if (version === undefined) return
  if (!isNumeric(version) || toNumber(version) < 1 || toNumber(version) > 2) {
    throw cannot(`Invalid index specification; cannot create an index with v=${showValue(version)}`)
  }
}

/**
 * The index as `listIndexes` shows it. Fails with CannotCreateIndex (67), InvalidIndexSpecificationOption
 * (197) and the like; never drops in silence what it does not know.
 */
export function readIndexSpec(spec: Doc, inherited: Collation | undefined): Doc {
  if (!spec.has('key')) {
    throw commandError(
      'FailedToParse',
      "The 'key' field is a required property of an index specification"
    )
  }
  const key = checkKey(spec.get('key'))
  checkVersion(spec.get('v'))
  const name = isIdKey(key) ? '_id_' : checkName(spec)
  const collation = spec.has('collation') ? parseCollation(spec.get('collation') as Doc) : inherited
  const read: Doc = new Map<string, Value>([
    ['v', new Int32(2)],
    ['key', key],
    ['name', name]
  ])
  for (const [field, value] of spec) {
    if (field === 'v' || field === 'key' || field === 'name' || field === 'ns') continue
    const kept = checkedField(field, value, spec, collation)
    if (isIdKey(key) && field !== 'collation' && field !== 'background') {
      throw commandError(
        'InvalidIndexSpecificationOption',
        `The field '${field}' is not valid for an _id index specification. Specification: ${showValue(spec)}`
      )
    }
    if (kept !== undefined) read.set(field, kept)
  }
  if (collation !== undefined) read.set('collation', collation.spec)
  if (read.has('partialFilterExpression') && read.has('sparse')) {
    throw cannot('cannot mix "partialFilterExpression" and "sparse" options')
  }
  return read
}

function isSameValue(a: Value, b: Value): boolean {
  if (a === undefined || b === undefined) return a === b
  return equalValues(a, b)
}

/** Whether two indexes differ in nothing by which MongoDB tells indexes apart. */
function isSameSignature(spec: Doc, existing: Index): boolean {
  const collation = parseCollation(spec.get('collation') as Doc | undefined)
  return (
    equalValues(spec.get('key'), existing.key) &&
    [...(spec.get('key') as Doc).keys()].join() === [...existing.key.keys()].join() &&
    isSameCollation(collation, existing.collation) &&
    (spec.get('unique') === true) === existing.isUnique &&
    (spec.get('sparse') === true) === existing.isSparse &&
    isSameValue(spec.get('partialFilterExpression'), existing.spec.get('partialFilterExpression'))
  )
}

/**
 * Whether the index is there already. Fails with IndexOptionsConflict (85) or IndexKeySpecsConflict
 * (86) when another one is in its way.
 */
export function isPresent(spec: Doc, existing: readonly Index[]): boolean {
  const named = existing.find(({ name }) => name === spec.get('name'))
  const alike = existing.find((index) => isSameSignature(spec, index))
  const both = (other: Index) =>
    `Requested index: ${showValue(spec)}, existing index: ${showValue(other.spec)}`
  if (named !== undefined && named !== alike && !isSameSignature(spec, named)) {
    throw commandError(
      'IndexKeySpecsConflict',
      `An existing index has the same name as the requested index. When index names are not specified, they are auto generated and can cause conflicts. Please refer to our documentation. ${both(named)}`
    )
  }
  const same = named ?? alike
  if (same === undefined) return false
  if (named === undefined) {
    throw commandError(
      'IndexOptionsConflict',
      `Index already exists with a different name: ${same.name}`
    )
  }
  if (!isSameValue(spec.get('expireAfterSeconds'), same.spec.get('expireAfterSeconds'))) {
    throw commandError(
      'IndexOptionsConflict',
      `An equivalent index already exists with the same name but different options. ${both(same)}`
    )
  }
  return true
}
