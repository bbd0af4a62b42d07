// A record in short, for lists that a model reads: what happened, where, to whom. Pure.
import { isPlainObject } from '../bounds.ts'

/** Characters of a text. */
const MOST_TEXT = 300
/** Attributes of one record. */
const MOST_ATTRS = 24

/** What only a whole record shows. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'receivedAt',
  'origin',
  'subjects',
  'client',
  'nanos'
])

/** Attributes that say of the sender's machine and library what is the same for each of its records. */
const OF_THE_SENDER =
  /^(?:telemetry\.sdk|telemetry\.distro|process|host|os|otel\.scope|container|k8s|cloud|service)\./

const shortText = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MOST_TEXT
    ? `${value.slice(0, MOST_TEXT)}… [${value.length - MOST_TEXT} more]`
    : value

/** What `redact` left of a record; anything but an object stays as it is. */
export function shortRecord(record: unknown): unknown {
  if (!isPlainObject(record)) return record
  const kept = Object.entries(record).filter(([key, value]) => {
    if (LEFT_OUT.has(key)) return false
    return key !== 'sampleRate' || value !== 1
  })
  return Object.fromEntries(kept.flatMap(([key, value]) => shortField(key, value)))
}

function shortField(key: string, value: unknown): [string, unknown][] {
  if (key === 'attrs') {
    const attrs = shortAttrs(value)
    return Object.keys(attrs).length === 0 ? [] : [[key, attrs]]
  }
  if (key === 'metrics' && isPlainObject(value) && Object.keys(value).length === 0) return []
  if (key === 'error') return [[key, shortError(value)]]
  return [[key, shortText(value)]]
}

function shortAttrs(attrs: unknown): Readonly<Record<string, unknown>> {
  if (!isPlainObject(attrs)) return {}
  const own = Object.entries(attrs).filter(([key]) => !OF_THE_SENDER.test(key))
  return Object.fromEntries(own.slice(0, MOST_ATTRS).map(([key, value]) => [key, shortText(value)]))
}

/** With the frame that tells most: the first of the application, else the first. */
function shortError(error: unknown): unknown {
  if (!isPlainObject(error)) return error
  const { frames, ...rest } = error
  const all = Array.isArray(frames) ? frames.filter(isPlainObject) : []
  const frame = all.find(({ inApp }) => inApp === true) ?? all[0]
  const { context: _context, ...place } = frame ?? {}
  const texts = Object.entries(rest).map(([key, value]) => [key, shortText(value)])
  return { ...Object.fromEntries(texts), ...(frame !== undefined && { at: place }) }
}
