// One <record> as its values. Pure.
import { childOf, childrenOf, type ElementText, textOf } from './element-text.ts'
import { readAddress, readCount, readDisposition, readResult, readText } from './read-values.ts'
import type { AggregateRecord } from './report.ts'

/** Results that are kept of one record; RFC 9990 allows as many signatures. */
const MOST_RESULTS = 100

/** A record, and whether any of it was left out. */
export interface ReadRecord {
  readonly record: AggregateRecord
  readonly isCut: boolean
}

/** The record; undefined when it does not say how many messages it is about. */
export function readRecord(element: ElementText): ReadRecord | undefined {
  const row = childOf(element, 'row')
  const count = readCount(textOf(row, 'count'))
  if (count === null) return undefined
  const evaluated = childOf(row, 'policy_evaluated')
  const results = childOf(element, 'auth_results')
  const identifiers = childOf(element, 'identifiers') ?? childOf(element, 'identities')
  const dkim = readResult(textOf(evaluated, 'dkim'))
  const spf = readResult(textOf(evaluated, 'spf'))
  const lists = [
    childrenOf(evaluated, 'reason'),
    childrenOf(results, 'dkim'),
    childrenOf(results, 'spf')
  ] as const
  const [reasons, signatures, identities] = lists
  const record: AggregateRecord = {
    sourceIp: readAddress(textOf(row, 'source_ip')),
    count,
    disposition: readDisposition(textOf(evaluated, 'disposition')),
    dkim,
    spf,
    aligned: dkim === 'pass' || spf === 'pass',
    reasons: reasons.slice(0, MOST_RESULTS).flatMap(readReason),
    headerFrom: lowerText(identifiers, 'header_from'),
    envelopeFrom: lowerText(identifiers, 'envelope_from'),
    envelopeTo: lowerText(identifiers, 'envelope_to'),
    dkimAuth: signatures.slice(0, MOST_RESULTS).map((one) => ({
      domain: lowerText(one, 'domain') ?? '',
      selector: readText(textOf(one, 'selector')),
      result: readResult(textOf(one, 'result')),
      humanResult: readText(textOf(one, 'human_result'))
    })),
    spfAuth: identities.slice(0, MOST_RESULTS).map((one) => ({
      domain: lowerText(one, 'domain') ?? '',
      scope: lowerText(one, 'scope'),
      result: readResult(textOf(one, 'result')),
      humanResult: readText(textOf(one, 'human_result'))
    }))
  }
  return { record, isCut: lists.some(({ length }) => length > MOST_RESULTS) }
}

function readReason(element: ElementText) {
  const type = lowerText(element, 'type')
  const comment = readText(textOf(element, 'comment'))
  return type === null && comment === null ? [] : [{ type: type ?? 'other', comment }]
}

function lowerText(element: ElementText | undefined, name: string): string | null {
  return readText(textOf(element, name))?.toLowerCase() ?? null
}
