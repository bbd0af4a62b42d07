// $jsonSchema as a condition: draft 4 with bsonType, as MongoDB knows it. Other keywords are refused.
import { Int32 } from 'bson'
import { remainderOf } from '../bson/arithmetic.ts'
import { characterCount } from '../bson/code-points.ts'
import { compareNumbers, isZero, toWhole } from '../bson/numbers.ts'
import {
  type Doc,
  isDoc,
  isNumeric,
  type Numeric,
  typeCode,
  typeName,
  type Value
} from '../bson/value.ts'
import { ValueSet } from '../bson/value-set.ts'
import { type CommandError, commandError } from '../errors.ts'
import { compileRegex } from '../regex/regex.ts'
import { codesOfName } from './type-names.ts'

type Test = (value: Value) => boolean

/** A parsed schema. */
export interface SchemaNode {
  readonly test: Test
}

/** Reads a keyword's value; `schema` is all that stands beside it. */
type KeywordParser = (value: Value, keyword: string, schema: Doc, depth: number) => Test

const MAX_DEPTH = 100
const ZERO = new Int32(0)
const ALWAYS: Test = () => true

/** Fails with FailedToParse (9) or TypeMismatch (14). */
export function parseJsonSchema(schema: Doc): SchemaNode {
  return { test: parseSchema(schema, 0) }
}

export function matchesSchema(schema: SchemaNode, value: Doc): boolean {
  return schema.test(value)
}

function parseSchema(schema: Value, depth: number): Test {
  if (!isDoc(schema)) throw mismatch('$jsonSchema must be an object')
  if (depth > MAX_DEPTH)
    throw commandError('Overflow', 'Maximum recursion depth exceeded in $jsonSchema')
  if (schema.has('type') && schema.has('bsonType')) {
    throw wrong("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'")
  }
  const tests = [...schema].map(([keyword, value]) => {
    const parser = KEYWORDS.get(keyword)
    if (parser) return parser(value, keyword, schema, depth + 1)
    throw wrong(
      UNSUPPORTED.has(keyword)
        ? `$jsonSchema keyword '${keyword}' is not currently supported`
        : `Unknown $jsonSchema keyword: ${keyword}`
    )
  })
  return (value) => tests.every((test) => test(value))
}

const UNSUPPORTED = new Set(['$ref', '$schema', 'default', 'definitions', 'format', 'id'])

function wrong(message: string): CommandError {
  return commandError('FailedToParse', message)
}

function mismatch(message: string): CommandError {
  return commandError('TypeMismatch', message)
}

function needList(value: Value, keyword: string): readonly Value[] {
  if (!Array.isArray(value))
    throw mismatch(
      `$jsonSchema keyword '${keyword}' must be an array, but found an element of type ${typeName(value)}`
    )
  if (value.length === 0) throw wrong(`$jsonSchema keyword '${keyword}' must be a non-empty array`)
  return value
}

function needObject(value: Value, keyword: string): Doc {
  if (isDoc(value)) return value
  throw mismatch(
    `$jsonSchema keyword '${keyword}' must be an object, but found an element of type ${typeName(value)}`
  )
}

function needNumber(value: Value, keyword: string): Numeric {
  if (isNumeric(value)) return value
  throw mismatch(
    `$jsonSchema keyword '${keyword}' must be a number, but found an element of type ${typeName(value)}`
  )
}

function needCount(value: Value, keyword: string): number {
  const whole = toWhole(needNumber(value, keyword))
  if (whole === undefined || whole < 0n)
    throw wrong(`$jsonSchema keyword '${keyword}' must be a non-negative integer`)
  return Number(whole)
}

function needBoolean(value: Value, keyword: string): boolean {
  if (typeof value === 'boolean') return value
  throw mismatch(`$jsonSchema keyword '${keyword}' must be a boolean`)
}

function needTexts(value: Value, keyword: string): readonly string[] {
  const texts = needList(value, keyword).map((text) => {
    if (typeof text === 'string') return text
    throw mismatch(`$jsonSchema keyword '${keyword}' must be an array of strings`)
  })
  if (new Set(texts).size < texts.length)
    throw wrong(`$jsonSchema keyword '${keyword}' array cannot contain duplicate values`)
  return texts
}

// Each keyword speaks of one type; values of other types satisfy it.
const ofDocs =
  (test: (doc: Doc) => boolean): Test =>
  (value) =>
    !isDoc(value) || test(value)
const ofLists =
  (test: (list: readonly Value[]) => boolean): Test =>
  (value) =>
    !Array.isArray(value) || test(value)
const ofTexts =
  (test: (text: string) => boolean): Test =>
  (value) =>
    typeof value !== 'string' || test(value)
const ofNumbers =
  (test: (number: Numeric) => boolean): Test =>
  (value) =>
    !isNumeric(value) || test(value)

const JSON_TYPES: ReadonlyMap<string, string> = new Map([
  ['object', 'object'],
  ['array', 'array'],
  ['number', 'number'],
  ['boolean', 'bool'],
  ['string', 'string'],
  ['null', 'null']
])

const parseType: KeywordParser = (value, keyword) => {
  const names = typeof value === 'string' ? [value] : needTexts(value, keyword)
  const codes = new Set(
    names.flatMap((name) => codesOfName(keyword === 'type' ? bsonName(name) : name))
  )
  return (given) => codes.has(typeCode(given))
}

function bsonName(name: string): string {
  const found = JSON_TYPES.get(name)
  if (found !== undefined) return found
  throw wrong(
    name === 'integer'
      ? "$jsonSchema type 'integer' is not currently supported."
      : `Unknown type name alias: ${name}`
  )
}

const parseEnum: KeywordParser = (value, keyword) => {
  const set = new ValueSet(needList(value, keyword))
  return (given) => set.has(given)
}

const parseRequired: KeywordParser = (value, keyword) => {
  const names = needTexts(value, keyword)
  return ofDocs((doc) => names.every((name) => doc.has(name)))
}

const parseProperties: KeywordParser = (value, keyword, _schema, depth) => {
  const tests = [...needObject(value, keyword)].map(
    ([name, schema]) => [name, parseSchema(schema, depth)] as const
  )
  return ofDocs((doc) => tests.every(([name, test]) => !doc.has(name) || test(doc.get(name))))
}

type NamePatterns = readonly (readonly [(name: string) => boolean, Test])[]

function readPatterns(value: Value, depth: number): NamePatterns {
  if (value === undefined) return []
  return [...needObject(value, 'patternProperties')].map(
    ([pattern, schema]) => [compileRegex(pattern, '').test, parseSchema(schema, depth)] as const
  )
}

const parsePatternProperties: KeywordParser = (value, _keyword, _schema, depth) => {
  const patterns = readPatterns(value, depth)
  return ofDocs((doc) =>
    [...doc].every(([name, inner]) =>
      patterns.every(([isNamed, test]) => !isNamed(name) || test(inner))
    )
  )
}

const parseAdditionalProperties: KeywordParser = (value, keyword, schema, depth) => {
  const test = schemaOrBoolean(value, keyword, depth)
  const properties = schema.has('properties')
    ? needObject(schema.get('properties'), 'properties')
    : new Map()
  const patterns = readPatterns(schema.get('patternProperties'), depth)
  const isKnown = (name: string) =>
    properties.has(name) || patterns.some(([isNamed]) => isNamed(name))
  return ofDocs((doc) => [...doc].every(([name, inner]) => isKnown(name) || test(inner)))
}

function schemaOrBoolean(value: Value, keyword: string, depth: number): Test {
  if (typeof value === 'boolean') return () => value
  if (isDoc(value)) return parseSchema(value, depth)
  throw mismatch(
    `$jsonSchema keyword '${keyword}' must be either an object or a boolean, but got an element of type ${typeName(value)}`
  )
}

const parseDependencies: KeywordParser = (value, keyword, _schema, depth) => {
  const tests = [...needObject(value, keyword)].map(([name, dependency]) => {
    const test = isDoc(dependency)
      ? parseSchema(dependency, depth)
      : parseRequired(dependency, keyword, new Map(), depth)
    return [name, test] as const
  })
  return ofDocs((doc) => tests.every(([name, test]) => !doc.has(name) || test(doc)))
}

const parseItems: KeywordParser = (value, _keyword, schema, depth) => {
  if (!Array.isArray(value)) {
    const test = parseSchema(value, depth)
    return ofLists((list) => list.every(test))
  }
  const tests = value.map((item) => parseSchema(item, depth))
  const rest = schema.has('additionalItems')
    ? schemaOrBoolean(schema.get('additionalItems'), 'additionalItems', depth)
    : ALWAYS
  return ofLists((list) => list.every((item, index) => (tests[index] ?? rest)(item)))
}

const parseAdditionalItems: KeywordParser = (value, keyword, _schema, depth) => {
  // It has a meaning only beside a list of items, where it is read.
  schemaOrBoolean(value, keyword, depth)
  return ALWAYS
}

const parseUniqueItems: KeywordParser = (value, keyword) => {
  if (!needBoolean(value, keyword)) return ALWAYS
  return ofLists((list) => new ValueSet(list).size === list.length)
}

function counted(of: (test: (size: number) => boolean) => Test, isMost: boolean): KeywordParser {
  return (value, keyword) => {
    const bound = needCount(value, keyword)
    return of((size) => (isMost ? size <= bound : size >= bound))
  }
}

const listSize = (test: (size: number) => boolean) => ofLists(({ length }) => test(length))
const docSize = (test: (size: number) => boolean) => ofDocs(({ size }) => test(size))
const textSize = (test: (size: number) => boolean) => ofTexts((text) => test(characterCount(text)))

function limited(exclusiveKeyword: string, sign: 1 | -1): KeywordParser {
  return (value, keyword, schema) => {
    const bound = needNumber(value, keyword)
    const isExclusive =
      schema.has(exclusiveKeyword) && needBoolean(schema.get(exclusiveKeyword), exclusiveKeyword)
    return ofNumbers((number) => {
      const order = sign * compareNumbers(number, bound)
      return isExclusive ? order > 0 : order >= 0
    })
  }
}

function exclusive(of: string): KeywordParser {
  return (value, keyword, schema) => {
    needBoolean(value, keyword)
    if (!schema.has(of))
      throw wrong(`$jsonSchema keyword '${of}' must be a present if ${keyword} is present`)
    return ALWAYS
  }
}

const parseMultipleOf: KeywordParser = (value, keyword) => {
  const divisor = needNumber(value, keyword)
  if (isZero(divisor) || compareNumbers(divisor, ZERO) < 0)
    throw wrong(`$jsonSchema keyword '${keyword}' must have a positive value`)
  return ofNumbers((number) => isZero(remainderOf(number, divisor)))
}

const parsePattern: KeywordParser = (value, keyword) => {
  if (typeof value !== 'string') throw mismatch(`$jsonSchema keyword '${keyword}' must be a string`)
  return ofTexts(compileRegex(value, '').test)
}

const parseNot: KeywordParser = (value, _keyword, _schema, depth) => {
  const test = parseSchema(value, depth)
  return (given) => !test(given)
}

function several(combine: (results: readonly boolean[]) => boolean): KeywordParser {
  return (value, keyword, _schema, depth) => {
    const tests = needList(value, keyword).map((schema) => parseSchema(schema, depth))
    return (given) => combine(tests.map((test) => test(given)))
  }
}

const parseRemark: KeywordParser = (value, keyword) => {
  if (typeof value === 'string') return ALWAYS
  throw mismatch(`$jsonSchema keyword '${keyword}' must be of type string`)
}

const KEYWORDS: ReadonlyMap<string, KeywordParser> = new Map<string, KeywordParser>([
  ['type', parseType],
  ['bsonType', parseType],
  ['enum', parseEnum],
  ['required', parseRequired],
  ['properties', parseProperties],
  ['patternProperties', parsePatternProperties],
  ['additionalProperties', parseAdditionalProperties],
  ['dependencies', parseDependencies],
  ['items', parseItems],
  ['additionalItems', parseAdditionalItems],
  ['uniqueItems', parseUniqueItems],
  ['minItems', counted(listSize, false)],
  ['maxItems', counted(listSize, true)],
  ['minProperties', counted(docSize, false)],
  ['maxProperties', counted(docSize, true)],
  ['minLength', counted(textSize, false)],
  ['maxLength', counted(textSize, true)],
  ['pattern', parsePattern],
  ['minimum', limited('exclusiveMinimum', 1)],
  ['maximum', limited('exclusiveMaximum', -1)],
  ['exclusiveMinimum', exclusive('minimum')],
  ['exclusiveMaximum', exclusive('maximum')],
  ['multipleOf', parseMultipleOf],
  ['allOf', several((results) => results.every(Boolean))],
  ['anyOf', several((results) => results.some(Boolean))],
  ['oneOf', several((results) => results.filter(Boolean).length === 1)],
  ['not', parseNot],
  ['title', parseRemark],
  ['description', parseRemark]
])
