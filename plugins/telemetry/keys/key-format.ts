// The text form of ingest keys: `pk_<label>_tk_<24 hex>` and `sk_<label>_tk_<24 hex>_<48 hex>`.

import { randomBytes } from 'node:crypto'
import type { KeyKind } from '../schemas/system.ts'

const PUBLISHABLE = /^pk_([a-z0-9]{1,32})_(tk_[0-9a-f]{24})$/
const SECRET = /^sk_([a-z0-9]{1,32})_(tk_[0-9a-f]{24})_([0-9a-f]{48})$/
const LABEL = /^[a-z0-9]{1,32}$/

export interface ParsedKey {
  readonly kind: KeyKind
  readonly id: string
  /** Secret keys only. */
  readonly secret: string | undefined
}

/** A key taken apart, or undefined when the text is none. */
export function parseKeyString(text: string): ParsedKey | undefined {
  const open = PUBLISHABLE.exec(text)
  if (open?.[2] !== undefined) return { kind: 'publishable', id: open[2], secret: undefined }
  const secret = SECRET.exec(text)
  if (secret?.[2] === undefined) return undefined
  return { kind: 'secret', id: secret[2], secret: secret[3] }
}

/** Whether a text means to be a secret key, right or wrong. */
export const looksSecret = (text: string): boolean => text.startsWith('sk_')

export const isLabel = (value: unknown): value is string =>
  typeof value === 'string' && LABEL.test(value)

export interface NewKey {
  readonly id: string
  readonly secret: string | undefined
  readonly key: string
}

/** Draws a new key. */
export function drawKey(kind: KeyKind, label: string): NewKey {
  const id = `tk_${randomBytes(12).toString('hex')}`
  if (kind === 'publishable') return { id, secret: undefined, key: `pk_${label}_${id}` }
  const secret = randomBytes(24).toString('hex')
  return { id, secret, key: `sk_${label}_${id}_${secret}` }
}
