// The columns of a segment, and a row as the line of JSON that they are read from: exact both ways. Pure.
import { Binary, BSON, Decimal128, type Document } from 'mongodb'
import type { StoredRow } from '../envelope/stored-row.ts'

/** What a column holds. `id`: the form of a stored id and its bytes. `decimal`: its text. `date`: milliseconds. */
export type ColumnType =
  | 'id'
  | 'text'
  | 'number'
  | 'date'
  | 'flag'
  | 'decimal'
  | 'texts'
  | 'textMap'
  | 'numberMap'

/** By the path of the field in a row. What fits no column is in `rest`. */
export const COLUMNS: Readonly<Record<string, ColumnType>> = {
  _id: 'id',
  tenantId: 'text',
  kind: 'text',
  rareKind: 'text',
  name: 'text',
  occurredAt: 'date',
  nanos: 'number',
  receivedAt: 'date',
  severity: 'text',
  env: 'text',
  service: 'text',
  release: 'text',
  origin: 'text',
  traceId: 'text',
  spanId: 'text',
  parentId: 'text',
  durationMs: 'number',
  subjectKeys: 'texts',
  roles: 'textMap',
  actor: 'text',
  actorType: 'text',
  onBehalfOf: 'text',
  otherPrincipals: 'texts',
  attrs: 'textMap',
  metrics: 'numberMap',
  data: 'text',
  body: 'text',
  'error.type': 'text',
  'error.message': 'text',
  'error.handled': 'flag',
  'error.fingerprint': 'text',
  'state.key': 'text',
  'state.from': 'text',
  'state.to': 'text',
  'state.previousSinceMs': 'number',
  'usage.meter': 'text',
  'usage.quantity': 'number',
  'usage.unit': 'text',
  'usage.amount': 'decimal',
  'usage.currency': 'text',
  'usage.idempotencyKey': 'text',
  'usage.billedTo': 'text',
  'usage.billable': 'flag',
  'usage.priceVersion': 'text',
  'usage.reverses': 'text',
  truncated: 'flag',
  sampleRate: 'number',
  forced: 'flag',
  dedupeKey: 'text',
  expiresAt: 'date',
  redactedAt: 'date'
}

/** The maps whose values reads ask for, and what these are in SQL. */
export const KEYED = { attrs: 'VARCHAR', metrics: 'DOUBLE' } as const
export type Keyed = keyof typeof KEYED

const REST = 'rest'
/** Fields with columns of their own fields. */
const NESTED: ReadonlySet<string> = new Set(['error', 'state', 'usage'])

const SQL_TYPES: Readonly<Record<ColumnType, unknown>> = {
  id: 'VARCHAR',
  text: 'VARCHAR',
  number: 'DOUBLE',
  date: 'BIGINT',
  flag: 'BOOLEAN',
  decimal: 'VARCHAR',
  texts: ['VARCHAR'],
  textMap: 'MAP(VARCHAR, VARCHAR)',
  numberMap: 'MAP(VARCHAR, DOUBLE)'
}

/** What `from_json` of DuckDB reads a line by. */
export const LINE_SHAPE: string = JSON.stringify({
  ...Object.fromEntries(Object.entries(COLUMNS).map(([name, type]) => [name, SQL_TYPES[type]])),
  [REST]: 'VARCHAR'
})

/** A name of this package as an identifier. */
export const quoted = (name: string): string => `"${name}"`

/** Every column, in order. */
export const ALL_COLUMNS: readonly string[] = [...Object.keys(COLUMNS), REST]

export const COLUMN_LIST: string = ALL_COLUMNS.map(quoted).join(', ')

/** The columns of lines that were read by `LINE_SHAPE`. */
export const COLUMNS_OF_LINE: string = COLUMN_LIST.replace('"_id"', 'unhex("_id") AS "_id"')

/** The JSON text of a row of columns, which `rowOf` reads. */
export const LINE_OF_COLUMNS: string = `to_json(struct_pack(${ALL_COLUMNS.map(
  (name) => `${quoted(name)} := ${name === '_id' ? 'hex("_id")' : quoted(name)}`
).join(', ')}))::VARCHAR`

/** A row as JSON text. */
export function lineOf(row: StoredRow): string {
  const line: Record<string, unknown> = {}
  const rest: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(row)) {
    if (value === undefined) continue
    if (NESTED.has(field) && isDocument(value)) takeNested(field, value, line, rest)
    else takeField(field, value, line, rest, field)
  }
  if (Object.keys(rest).length > 0) line[REST] = writeRest(rest)
  return JSON.stringify(line)
}

function takeField(
  path: string,
  value: unknown,
  line: Record<string, unknown>,
  rest: Record<string, unknown>,
  field: string
): void {
  const type = Object.hasOwn(COLUMNS, path) ? COLUMNS[path] : undefined
  const cell = type === undefined ? undefined : WRITERS[type](value)
  if (cell === undefined) set(rest, field, value)
  else line[path] = cell
}

/** What is left of it, or all of it where it has no columns, is in `rest`. */
function takeNested(
  field: string,
  value: Readonly<Record<string, unknown>>,
  line: Record<string, unknown>,
  rest: Record<string, unknown>
): void {
  const left: Record<string, unknown> = {}
  const given = Object.entries(value).filter(([, one]) => one !== undefined)
  for (const [key, one] of given) takeField(`${field}.${key}`, one, line, left, key)
  const remaining = Object.keys(left).length
  if (remaining > 0 || given.length === 0) set(rest, field, left)
}

/** A row of the JSON text of its columns. */
export function rowOf(line: string): StoredRow {
  const cells = JSON.parse(line) as Readonly<Record<string, unknown>>
  const row: Record<string, unknown> = {}
  for (const [path, type] of Object.entries(COLUMNS)) {
    const cell = cells[path]
    if (cell === null || cell === undefined) continue
    const value = READERS[type](cell)
    const dot = path.indexOf('.')
    if (dot < 0) row[path] = value
    else {
      const field = path.slice(0, dot)
      const nested = (row[field] ?? {}) as Record<string, unknown>
      nested[path.slice(dot + 1)] = value
      row[field] = nested
    }
  }
  const { [REST]: text } = cells
  if (typeof text === 'string') addRest(row, readRest(text))
  return row as unknown as StoredRow
}

function addRest(row: Record<string, unknown>, rest: Readonly<Record<string, unknown>>): void {
  for (const [field, value] of Object.entries(rest)) {
    const known = row[field]
    const isPart = NESTED.has(field) && isDocument(known) && isDocument(value)
    if (!isPart) set(row, field, value)
    else for (const [key, one] of Object.entries(value)) set(known, key, one)
  }
}

/** Not a value of BSON, which is an object too. */
const isDocument = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** A field of any name is an own one. */
function set(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    writable: true,
    configurable: true
  })
}

/** Not the zero below zero, which JSON has no text for. */
const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)
const isText = (value: unknown): value is string => typeof value === 'string'
const mapOf = (value: unknown, isValue: (one: unknown) => boolean) =>
  isDocument(value) && Object.values(value).every(isValue) && !Object.hasOwn(value, '__proto__')
    ? value
    : undefined

/** The value as a line holds it; undefined when the column cannot. */
const WRITERS: Readonly<Record<ColumnType, (value: unknown) => unknown>> = {
  id: (value) => (value instanceof Binary ? idHex(value) : undefined),
  text: (value) => (isText(value) ? value : undefined),
  number: (value) => (isNumber(value) ? value : undefined),
  date: (value) =>
    value instanceof Date && isNumber(value.getTime()) ? value.getTime() : undefined,
  flag: (value) => (typeof value === 'boolean' ? value : undefined),
  decimal: (value) => (value instanceof Decimal128 ? decimalText(value) : undefined),
  texts: (value) => (Array.isArray(value) && value.every(isText) ? value : undefined),
  textMap: (value) => mapOf(value, isText),
  numberMap: (value) => mapOf(value, isNumber)
}

const READERS: Readonly<Record<ColumnType, (cell: unknown) => unknown>> = {
  id: (cell) => idOfHex(cell as string),
  text: (cell) => cell,
  number: (cell) => cell,
  date: (cell) => new Date(cell as number),
  flag: (cell) => cell,
  decimal: (cell) => Decimal128.fromString(cell as string),
  texts: (cell) => cell,
  textMap: (cell) => cell,
  numberMap: (cell) => cell
}

/** Amounts that money can have: what a decimal column adds up exactly. */
const AMOUNT = /^-?\d{1,20}(\.\d{1,12})?$|^-?\d(\.\d{1,12})?E-\d{1,2}$/

function decimalText(value: Decimal128): string | undefined {
  const text = value.toString()
  return AMOUNT.test(text) ? text : undefined
}

/** A stored id: its form, then its bytes. */
export function idHex(id: Binary): string {
  const bytes = Buffer.from(id.buffer.buffer, id.buffer.byteOffset, id.position)
  return id.sub_type.toString(16).padStart(2, '0') + bytes.toString('hex')
}

export const idOfHex = (hex: string): Binary =>
  new Binary(Buffer.from(hex.slice(2), 'hex'), Number.parseInt(hex.slice(0, 2), 16))

const BSON_MARK = 'b'

/** As JSON where that is exact, else as BSON. */
function writeRest(rest: Document): string {
  if (isJson(rest)) return JSON.stringify(rest)
  return BSON_MARK + Buffer.from(BSON.serialize(rest)).toString('base64')
}

const readRest = (text: string): Document =>
  text.startsWith(BSON_MARK)
    ? BSON.deserialize(Buffer.from(text.slice(1), 'base64'))
    : (JSON.parse(text) as Document)

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'boolean' || isText(value) || isNumber(value)) return true
  if (Array.isArray(value)) return value.every(isJson)
  if (!isDocument(value)) return false
  return Object.values(value).every(isJson)
}
