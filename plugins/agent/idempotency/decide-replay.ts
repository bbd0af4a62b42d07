// Decides what becomes of a request whose Idempotency-Key was seen before. Pure.
import { createHash } from 'node:crypto'
import type { AnswerRow } from './answer-row.ts'

/** How long the same key gets the same answer. */
export const KEPT_MS = 86_400_000

/**
 * What becomes of it. `run`: its day is over. `resume`: the one before ended without an answer, as in a crash.
 */
export type ReplayDecision = 'replay' | 'reused' | 'in_flight' | 'run' | 'resume'

/** The row is that of the same key. */
export function decideReplay(row: AnswerRow, request: string, now: Date): ReplayDecision {
  const time = now.getTime()
  if (row.at.getTime() + KEPT_MS <= time) return 'run'
  if (row.request !== request) return 'reused'
  if (row.state === 'done') return 'replay'
  return row.leaseUntil.getTime() > time ? 'in_flight' : 'resume'
}

/** Larger answers are not kept. */
const MOST_CHARACTERS = 4_000_000

/** Answers that are given again. The others say what held at their moment, and changed nothing. */
export const isKept = ({
  status,
  body
}: {
  readonly status: number
  readonly body: string
}): boolean =>
  status < 500 && ![401, 403, 409, 429].includes(status) && body.length <= MOST_CHARACTERS

/** What a key must be: visible ASCII. */
export const KEY_PATTERN = '^[\\x21-\\x7e]{1,255}$'
const KEY = new RegExp(KEY_PATTERN)

/** Whether a text can be a key. */
export const isUsableKey = (key: string): boolean => KEY.test(key)

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** One key of one caller. */
export const keyId = (actor: string, key: string): string => hashOf(`${actor}\n${key}`)

/** A request: method, address and body, whatever the order of its keys. */
export const requestHash = (method: string, url: string, body: unknown): string =>
  hashOf(`${method} ${url}\n${canonical(body)}`)

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}
