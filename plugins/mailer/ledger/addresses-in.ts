// Finds mail addresses in any value, however they are written there. Pure.
import { normalAddress } from './address.ts'

/** Deeper or larger values are cut: what people write into a log entry is small. */
const MAX_DEPTH = 20
const MAX_TEXTS = 10_000
const MAX_FOUND = 5000

const MAX_PART = 255
const DOMAIN = /[\p{L}\p{N}.-]{1,255}/uy
const SPACE = /\s/
/** Where an address may begin inside of other text, as in `human:ann@example.test`. */
const DELIMITER = /[:;,"'`<>()[\]{}|=&?/\\]/g
/** Base64 as in addresses, and as in other texts. */
const ENCODED = [/[A-Za-z0-9_-]{12,}/g, /[A-Za-z0-9+/]{12,}/g]

/**
 * The addresses in all texts of a value, keys included, lower case: in clear, URL-encoded, and in base64 as in
 * signed links. It finds too many rather than too few.
 */
export function addressesIn(value: unknown): readonly string[] {
  const found = new Set<string>()
  for (const text of textsIn(value)) {
    for (const form of formsOf(text)) {
      for (let at = form.indexOf('@'); at >= 0; at = form.indexOf('@', at + 1)) {
        if (found.size >= MAX_FOUND) return [...found]
        for (const address of addressesAt(form, at)) found.add(address)
      }
    }
  }
  return [...found]
}

/** The addresses around one `@`; looks at no more than an address can be long. */
function addressesAt(text: string, at: number): readonly string[] {
  let start = at
  while (start > 0 && at - start < MAX_PART && text[start - 1] !== '@') {
    if (SPACE.test(text[start - 1] as string)) break
    start--
  }
  DOMAIN.lastIndex = at + 1
  const [domain = ''] = DOMAIN.exec(text) ?? []
  const local = text.slice(start, at)
  const host = domain.replace(/[.-]+$/, '')
  if (host === '') return []
  return startsOf(local).map((from) => normalAddress(`${local.slice(from)}@${host}`))
}

function textsIn(value: unknown): readonly string[] {
  const texts: string[] = []
  const walk = (item: unknown, depth: number): void => {
    if (depth > MAX_DEPTH || texts.length >= MAX_TEXTS) return
    if (typeof item === 'string') texts.push(item)
    if (typeof item === 'string' && /^\s*[[{]/.test(item)) walk(parsed(item), depth + 1)
    if (typeof item !== 'object' || item === null) return
    for (const [key, child] of Object.entries(item)) {
      if (!Array.isArray(item)) texts.push(key)
      walk(child, depth + 1)
    }
  }
  walk(value, 0)
  return texts
}

/** Of a text in JSON its texts: they begin and end where an address does. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A text as written, and what it says once its encodings are undone. */
function formsOf(text: string): readonly string[] {
  const forms = [text]
  if (/%40/.test(text)) forms.push(text.replace(/%[0-9a-f]{2}/gi, decoded))
  for (const [token] of ENCODED.flatMap((encoding) => [...text.matchAll(encoding)])) {
    const inner = Buffer.from(token, 'base64url').toString()
    if (inner.includes('@')) forms.push(inner)
  }
  return forms
}

const decoded = (code: string): string => String.fromCharCode(Number.parseInt(code.slice(1), 16))

function startsOf(local: string): readonly number[] {
  const starts = [0]
  for (const { index } of local.matchAll(DELIMITER)) starts.push(index + 1)
  return starts.filter((start) => start < local.length).slice(-8)
}
