// Finds the DMARC record that applies to a domain, by the tree walk of RFC 9989: at most eight questions.

import { type DmarcRecord, dmarcRecordsOf, readDmarcRecord } from './dmarc-record.ts'
import type { Dns } from './dns-lookup.ts'

/** A name of the walk, and what is published there. */
export interface WalkStep {
  readonly domain: string
  /** DMARC records at the name; one is right. */
  readonly records: readonly string[]
  readonly failed: string | null
}

/** What the walk found. */
export interface FoundPolicy {
  readonly steps: readonly WalkStep[]
  /** Where the record is: the domain itself, or its organisational domain. */
  readonly at: string | null
  readonly record: DmarcRecord | null
  readonly organisation: string
}

const MAX_QUESTIONS = 8

/** The names that the walk asks for, from the domain up. Pure. */
export function walkNames(domain: string): readonly string[] {
  const labels = domain.split('.')
  // Long names skip from themselves to their last seven labels.
  const rest = labels.length > MAX_QUESTIONS ? labels.slice(-(MAX_QUESTIONS - 1)) : labels.slice(1)
  const parents = rest.map((_, at) => rest.slice(at).join('.'))
  return [domain, ...parents].slice(0, MAX_QUESTIONS)
}

/** Walks. A record with `psd=n` or `psd=y` ends it. */
export async function findPolicy(dns: Pick<Dns, 'txt'>, domain: string): Promise<FoundPolicy> {
  const steps: WalkStep[] = []
  for (const name of walkNames(domain)) {
    const answer = await dns.txt(`_dmarc.${name}`)
    const records = answer.kind === 'found' ? dmarcRecordsOf(answer.values) : []
    steps.push({ domain: name, records, failed: answer.kind === 'failed' ? answer.code : null })
    const found = recordOf(records)
    if (found !== null && found.psd !== 'u') break
  }
  return { steps, ...judgeWalk(domain, steps) }
}

/** Which of the records applies. Pure. */
export function judgeWalk(domain: string, steps: readonly WalkStep[]): Omit<FoundPolicy, 'steps'> {
  const found = steps.flatMap((step) => {
    const record = recordOf(step.records)
    return record === null ? [] : [{ domain: step.domain, record }]
  })
  const organisation = organisationOf(domain, found)
  const own = found.find((step) => step.domain === domain)
  const applied = own ?? found.find((step) => step.domain === organisation)
  return { organisation, at: applied?.domain ?? null, record: applied?.record ?? null }
}

interface FoundRecord {
  readonly domain: string
  readonly record: DmarcRecord
}

function organisationOf(domain: string, found: readonly FoundRecord[]): string {
  const top = found.at(-1)
  if (top === undefined) return domain
  const isSuffix = top.record.psd === 'y' && top.domain !== domain
  if (!isSuffix) return top.domain
  // One label below the public suffix.
  const count = top.domain.split('.').length + 1
  return domain.split('.').slice(-count).join('.')
}

/** Receivers ignore a name with several records. */
function recordOf(records: readonly string[]): DmarcRecord | null {
  const [text, ...more] = records
  if (text === undefined || more.length > 0) return null
  const record = readDmarcRecord(text)
  return 'problem' in record ? null : record
}
