// What an answer makes of a stored row, and whether that is a change worth telling. Pure.

import type { ConfiguredList } from '../lists/configured-list.ts'
import { decodeAnswer } from '../lists/decode-answer.ts'
import type { DnsAnswer } from '../lookups/dns-answer.ts'
import { type CheckRow, checkId } from '../storage/rows.ts'

/** One question and its answer. */
export interface CheckInput {
  readonly list: ConfiguredList
  readonly target: string
  readonly answer: DnsAnswer
  readonly earlier: CheckRow | undefined
  readonly now: Date
}

/** The row to store. */
export interface JudgedCheck {
  readonly row: CheckRow
  /** Listed now and not before, or the other way round. */
  readonly isChange: boolean
}

export function judgeCheck({ list, target, answer, earlier, now }: CheckInput): JudgedCheck {
  const head = {
    _id: checkId(list.host, target),
    target,
    targetKind: list.kind,
    list: list.host,
    listLabel: list.label,
    attemptedAt: now
  }
  const known = earlier?.known ?? null
  if (answer.kind === 'failed') {
    const failures = (earlier?.failures ?? 0) + 1
    // What the list said before stays true until it says something else.
    if (earlier !== undefined && earlier.runAt !== null) {
      return { row: { ...earlier, ...head, failures }, isChange: false }
    }
    const errorMessage = `The list does not answer (${answer.code}).`
    const row = { ...head, ...EMPTY, errorMessage, known, runAt: null, failures }
    return { row, isChange: false }
  }
  const decoded = decodeAnswer(list.host, answer.kind === 'answers' ? answer.addresses : [])
  const answered = { ...head, ...EMPTY, known, runAt: now, failures: 0 }
  if (decoded.result === 'error') {
    const { codes, message: errorMessage } = decoded
    return { row: { ...answered, codes, errorMessage }, isChange: false }
  }
  const { result } = decoded
  const row: CheckRow = { ...answered, ...decoded, known: result }
  return { row, isChange: known === null ? result === 'listed' : known !== result }
}

const EMPTY = { result: 'error', category: null, codes: [], errorMessage: null } as const
