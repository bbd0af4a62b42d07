// The head of an aggregate report: who reports about which domain, when, and under which policy. Pure.
import { registrableDomain } from '../registrable-domain.ts'
import { childOf, childrenOf, type ElementText, textOf } from './element-text.ts'
import {
  readAlignment,
  readDomain,
  readPercent,
  readPolicy,
  readText,
  readTime
} from './read-values.ts'
import type { AggregateReport, PublishedPolicy } from './report.ts'

export const RFC9990_NAMESPACE = 'urn:ietf:params:xml:ns:dmarc-2.0'
const MOST_ERRORS = 20
const UNKNOWN_ORGANISATION = 'unknown'

export interface ReportHead
  extends Omit<AggregateReport, 'records' | 'totalMessages' | 'passCount' | 'failCount'> {}

/** The elements that the head is read from. */
export interface HeadElements {
  readonly metadata: ElementText | undefined
  readonly policy: ElementText | undefined
  /** The namespace of <feedback>. */
  readonly namespace: string | undefined
}

/** The head, or what it lacks. */
export function readHead(elements: HeadElements): ReportHead | { readonly problem: string } {
  const { metadata } = elements
  const reportId = readText(textOf(metadata, 'report_id'))
  if (reportId === null) return { problem: 'report_id is missing' }
  const policy = readPublished(elements.policy)
  if (policy === undefined) return { problem: 'policy_published.domain is missing or not a domain' }
  const range = childOf(metadata, 'date_range')
  const begin = readTime(textOf(range, 'begin'))
  const end = readTime(textOf(range, 'end'))
  if (begin === null || end === null) {
    return { problem: 'date_range is missing or not a range of times' }
  }
  // Some reporters write the two the other way round.
  const isTurned = end < begin
  const email = readText(textOf(metadata, 'email'))
  const generator = readText(textOf(metadata, 'generator'))
  return {
    reportId,
    orgName: readText(textOf(metadata, 'org_name')) ?? organisationOf(email),
    email,
    contact: readText(textOf(metadata, 'extra_contact_info')),
    generator,
    rangeStart: isTurned ? end : begin,
    rangeEnd: isTurned ? begin : end,
    recovered: isTurned,
    errors: childrenOf(metadata, 'error')
      .slice(0, MOST_ERRORS)
      .flatMap(({ text }) => readText(text) ?? []),
    policy,
    format: isNew(elements, generator) ? 'rfc9990' : 'rfc7489'
  }
}

function readPublished(element: ElementText | undefined): PublishedPolicy | undefined {
  const domain = readDomain(textOf(element, 'domain'))
  if (domain === null) return undefined
  return {
    domain,
    p: readPolicy(textOf(element, 'p')) ?? 'none',
    sp: readPolicy(textOf(element, 'sp')),
    np: readPolicy(textOf(element, 'np')),
    pct: readPercent(textOf(element, 'pct')),
    testing: /^\s*y/i.test(textOf(element, 'testing') ?? ''),
    adkim: readAlignment(textOf(element, 'adkim')),
    aspf: readAlignment(textOf(element, 'aspf')),
    fo: readText(textOf(element, 'fo')),
    discoveryMethod: readText(textOf(element, 'discovery_method'))?.toLowerCase() ?? null
  }
}

/** `<version>` does not tell: the RFC's own example says 1.0. */
function isNew({ namespace, policy }: HeadElements, generator: string | null): boolean {
  if (namespace === RFC9990_NAMESPACE || generator !== null) return true
  return ['np', 'testing', 'discovery_method'].some((name) => childOf(policy, name) !== undefined)
}

function organisationOf(email: string | null): string {
  const host = email?.slice(email.lastIndexOf('@') + 1).replace(/[>\s].*$/, '') ?? ''
  return registrableDomain(host) ?? readDomain(host) ?? UNKNOWN_ORGANISATION
}
