// The `_id` of a row: the wire's id made its tenant's own in few bytes, because every index entry repeats it.
import { createHash } from 'node:crypto'
import { createBoundedMap } from '@keelson/sdk'
import { Binary } from 'mongodb'

/** What follows the tenant, told by subtypes of BSON that are the user's to define. */
const UUID_FORM = 0x80
const TEXT_FORM = 0x81
const HEX_FORM = 0x82
/** As the two before, of records that OTLP names: a record of the wire can never have such an id. */
const OTLP_TEXT_FORM = 0x84
const OTLP_HEX_FORM = 0x83
/** Marks an id of OTLP. Ids of the wire have no space. */
export const OTLP_ID = 'otlp '
const TEXT_FORMS: ReadonlySet<number> = new Set([TEXT_FORM, OTLP_TEXT_FORM])
const OTHER_FORMS: ReadonlySet<number> = new Set([...TEXT_FORMS, HEX_FORM, OTLP_HEX_FORM])
const TENANT_BYTES = 6
const UUID_BYTES = TENANT_BYTES + 16
const TENANTS = 1000
const DASH = 45

const tenants = createBoundedMap<string, Uint8Array>(TENANTS)

/** The first six bytes of the SHA-256 of a tenant's id. */
function tenantBytes(tenantId: string): Uint8Array {
  const known = tenants.get(tenantId)
  if (known !== undefined) return known
  const bytes = createHash('sha256').update(tenantId).digest().subarray(0, TENANT_BYTES)
  tenants.set(tenantId, bytes)
  return bytes
}

/**
 * Two tenants' equal wire ids are two stored ids. Behind the tenant's six bytes lower-case hex digits, those of
 * a UUID included, take a byte for two; any other id its UTF-8. Ids that begin with the time sort by it.
 */
export function storedId(tenantId: string, wireId: string): Binary {
  if (!wireId.startsWith(OTLP_ID)) return idOfForms(tenantId, wireId, HEX_FORM, TEXT_FORM)
  return idOfForms(tenantId, wireId.slice(OTLP_ID.length), OTLP_HEX_FORM, OTLP_TEXT_FORM)
}

function idOfForms(tenantId: string, id: string, hexForm: number, textForm: number): Binary {
  const tenant = tenantBytes(tenantId)
  const form = formOf(id)
  const isUuid = form === UUID_FORM && hexForm === HEX_FORM
  if (isUuid || form === HEX_FORM) {
    const bytes = Buffer.allocUnsafe(isUuid ? UUID_BYTES : TENANT_BYTES + id.length / 2)
    bytes.set(tenant)
    if (writeDigits(bytes, id, isUuid)) return new Binary(bytes, isUuid ? form : hexForm)
  }
  return new Binary(Buffer.concat([tenant, Buffer.from(id, 'utf8')]), textForm)
}

/** The form that an id could have, by its length and dash. */
function formOf(wireId: string): number {
  if (wireId.length === 36 && wireId.charCodeAt(8) === DASH) return UUID_FORM
  return wireId.length > 0 && wireId.length % 2 === 0 ? HEX_FORM : TEXT_FORM
}

const DIGITS = new Uint8Array(128).fill(255)
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit
const digitAt = (text: string, at: number) => DIGITS[text.charCodeAt(at)] ?? 255

/** Writes the bytes that the digits stand for; false when one is none, or a dash is not where it should be. */
function writeDigits(bytes: Buffer, text: string, isDashed: boolean): boolean {
  let from = 0
  for (let to = TENANT_BYTES; to < bytes.length; to++) {
    if (isDashed && (from === 8 || from === 13 || from === 18 || from === 23)) {
      if (text.charCodeAt(from) !== DASH) return false
      from++
    }
    const high = digitAt(text, from)
    const low = digitAt(text, from + 1)
    if ((high | low) > 15) return false
    bytes[to] = (high << 4) | low
    from += 2
  }
  return true
}

/** The wire's id of a stored one. */
export function wireId(stored: Binary): string {
  const bytes = bytesOf(stored)
  const { sub_type: form } = stored
  if (TEXT_FORMS.has(form)) return bytes.toString('utf8', TENANT_BYTES)
  const hex = bytes.toString('hex', TENANT_BYTES)
  if (form !== UUID_FORM) return hex
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** As the database orders them: by length, then form, then bytes. */
export function compareIds(a: Binary, b: Binary): number {
  const difference = a.position - b.position || a.sub_type - b.sub_type
  if (difference !== 0) return difference
  for (let at = 0; at < a.position; at++) {
    const byte = (a.buffer[at] ?? 0) - (b.buffer[at] ?? 0)
    if (byte !== 0) return byte
  }
  return 0
}

/** A stored id as text: what a Map or a cursor can hold. */
export function idText(stored: Binary): string {
  return stored.sub_type.toString(16) + bytesOf(stored).toString('base64url')
}

/** The stored id of a text that `idText` gave; undefined when it is none. */
export function idOfText(text: string): Binary | undefined {
  const form = Number.parseInt(text.slice(0, 2), 16)
  const bytes = Buffer.from(text.slice(2), 'base64url')
  const isForm = form === UUID_FORM ? bytes.length === UUID_BYTES : OTHER_FORMS.has(form)
  return isForm && bytes.length > TENANT_BYTES ? new Binary(bytes, form) : undefined
}

/** The bytes themselves, not a copy. */
function bytesOf({ buffer, position }: Binary): Buffer {
  return Buffer.from(buffer.buffer, buffer.byteOffset, position)
}
