// Reads the structured parts of a record (error, state, usage, client) from untrusted values.

import { BOUNDS, clipText, isAmount, isPlainObject } from '../bounds.ts'
import type { ClientInfo, ErrorFrame, ErrorInfo, StateInfo } from '../schemas/envelope.ts'
import { fingerprintOf } from './fingerprint.ts'
import { isCleanText, isRef } from './refs.ts'
import { type StoredUsage, storeAmount } from './stored-row.ts'

/** A part, or why it cannot be taken. `clipped` counts texts that were cut. */
export type PartReading<T> =
  | { readonly ok: true; readonly value: T; readonly clipped: number }
  | { readonly ok: false; readonly reason: string }

const refuse = (reason: string) => ({ ok: false, reason }) as const

export function readError(value: unknown): PartReading<ErrorInfo> {
  if (!isPlainObject(value)) return refuse('error must be an object')
  const { type, message, handled, fingerprint, frames } = value
  if (typeof type !== 'string' || type === '') return refuse('error.type must be text')
  if (typeof message !== 'string') return refuse('error.message must be text')
  if (frames !== undefined && frames !== null && !Array.isArray(frames)) {
    return refuse('error.frames must be a list')
  }
  if (fingerprint !== undefined && fingerprint !== null && typeof fingerprint !== 'string') {
    return refuse('error.fingerprint must be text')
  }
  const shortType = clipText(type, BOUNDS.name)
  const shortMessage = clipText(message, BOUNDS.errorMessage)
  const read = readFrames(frames ?? [])
  const given = typeof fingerprint === 'string' && fingerprint !== '' ? fingerprint : undefined
  const clipped = Number(shortType !== type) + Number(shortMessage !== message)
  return {
    ok: true,
    clipped,
    value: {
      type: shortType,
      message: shortMessage,
      handled: handled === true,
      fingerprint:
        given === undefined
          ? fingerprintOf(shortType, shortMessage, read)
          : clipText(given, BOUNDS.name),
      ...(read.length > 0 && { frames: read })
    }
  }
}

function readFrames(frames: readonly unknown[]): readonly ErrorFrame[] {
  return frames.slice(0, BOUNDS.frames).filter(isPlainObject).map(readFrame)
}

function readFrame(frame: Record<string, unknown>): ErrorFrame {
  const { filename, fn, lineno, colno, inApp, context } = frame
  const lines = Array.isArray(context) ? context.filter((line) => typeof line === 'string') : []
  return {
    ...(typeof filename === 'string' && { filename: clipText(filename, BOUNDS.frameText) }),
    ...(typeof fn === 'string' && { fn: clipText(fn, BOUNDS.frameText) }),
    ...(Number.isInteger(lineno) && { lineno: lineno as number }),
    ...(Number.isInteger(colno) && { colno: colno as number }),
    ...(typeof inApp === 'boolean' && { inApp }),
    ...(lines.length > 0 && {
      context: lines.slice(0, BOUNDS.contextLines).map((line) => clipText(line, BOUNDS.contextText))
    })
  }
}

export function readState(value: unknown): PartReading<StateInfo> {
  if (!isPlainObject(value)) return refuse('state must be an object')
  const { key, from, to, previousSinceMs } = value
  if (!isCleanText(key, BOUNDS.name)) return refuse('state.key must be a short text')
  if (!isCleanText(to, BOUNDS.name)) return refuse('state.to must be a short text')
  const hasFrom = from !== undefined && from !== null
  if (hasFrom && !isCleanText(from, BOUNDS.name)) return refuse('state.from must be a short text')
  const hasSince = previousSinceMs !== undefined && previousSinceMs !== null
  if (hasSince && !isAmount(previousSinceMs)) {
    return refuse('state.previousSinceMs must be a number')
  }
  return {
    ok: true,
    clipped: 0,
    value: {
      key,
      to,
      ...(hasFrom && { from: from as string }),
      ...(hasSince && { previousSinceMs: previousSinceMs as number })
    }
  }
}

const USAGE_TEXTS = ['currency', 'idempotencyKey', 'priceVersion', 'reverses'] as const

export function readUsage(value: unknown): PartReading<StoredUsage> {
  if (!isPlainObject(value)) return refuse('usage must be an object')
  const { meter, quantity, unit, amount, billedTo, billable } = value
  if (!isCleanText(meter, BOUNDS.name)) return refuse('usage.meter must be a short text')
  if (!isCleanText(unit, BOUNDS.name)) return refuse('usage.unit must be a short text')
  if (!isAmount(quantity)) {
    return refuse(`usage.quantity must be a number between -${BOUNDS.number} and ${BOUNDS.number}`)
  }
  const money = readAmount(amount)
  if (money === 'bad') return refuse('usage.amount must be decimal text')
  const hasBilled = billedTo !== undefined && billedTo !== null
  if (hasBilled && !isRef(billedTo)) return refuse('usage.billedTo must be a ref')
  const texts: Partial<Record<(typeof USAGE_TEXTS)[number], string>> = {}
  for (const key of USAGE_TEXTS) {
    const text = value[key]
    if (text === undefined || text === null) continue
    if (!isCleanText(text, BOUNDS.name)) return refuse(`usage.${key} must be a short text`)
    texts[key] = text
  }
  return {
    ok: true,
    clipped: 0,
    value: {
      meter,
      quantity,
      unit,
      ...(money !== undefined && { amount: money }),
      ...(hasBilled && { billedTo: billedTo as string }),
      billable: billable !== false,
      ...texts
    }
  }
}

function readAmount(amount: unknown): StoredUsage['amount'] | 'bad' {
  if (amount === undefined || amount === null) return undefined
  const text = typeof amount === 'number' ? String(amount) : amount
  return typeof text === 'string' ? (storeAmount(text) ?? 'bad') : 'bad'
}

const CLIENT_TEXTS = [
  'userAgent',
  'os',
  'osVersion',
  'browser',
  'browserVersion',
  'deviceType',
  'locale',
  'timezone',
  'connection'
] as const
const CLIENT_NUMBERS = ['screenW', 'screenH', 'viewportW', 'viewportH', 'clockSkewMs'] as const

export const DEFAULT_PLATFORMS = ['web', 'electron', 'ios', 'android', 'server', 'cli'] as const

export function readClient(
  value: unknown,
  platforms: ReadonlySet<string>
): PartReading<ClientInfo> {
  if (!isPlainObject(value)) return refuse('client must be an object')
  const { platform, appVersion, online } = value
  if (typeof platform !== 'string' || !platforms.has(platform)) {
    return refuse(`client.platform must be one of ${[...platforms].join(', ')}`)
  }
  if (typeof appVersion !== 'string' || appVersion === '') {
    return refuse('client.appVersion must be text')
  }
  const known: Record<string, unknown> = {}
  for (const key of CLIENT_TEXTS) {
    const text = value[key]
    if (typeof text === 'string') known[key] = clipText(text, BOUNDS.clientText)
  }
  for (const key of CLIENT_NUMBERS) {
    if (Number.isFinite(value[key])) known[key] = value[key]
  }
  return {
    ok: true,
    clipped: 0,
    value: {
      platform,
      appVersion: clipText(appVersion, BOUNDS.name),
      ...known,
      ...(typeof online === 'boolean' && { online })
    }
  }
}
