// The self-test of RFC 5782 section 5: a list must hold its test entry, and must not hold everything. Pure.

import type { DnsAnswer } from '../lookups/dns-answer.ts'
import type { ConfiguredList } from './configured-list.ts'
import { decodeAnswer } from './decode-answer.ts'
import { profileOf } from './list-profile.ts'
import { ipv6TestEntry } from './query-name.ts'

/** `working`, or why a list is not asked. */
export type ListState = 'working' | 'dead' | 'wildcard' | 'refused' | 'unreachable'

/** What the self-test found. */
export interface TestedList {
  readonly state: ListState
  /** One sentence; null for a working list. */
  readonly reason: string | null
  /** Whether IPv6 addresses can be asked for. */
  readonly hasIpv6: boolean
}

/** The entries to ask for: at least one of `listed` must be there, none of `absent`. */
export interface TestEntries {
  readonly listed: readonly string[]
  readonly absent: string
  /** Must be there before IPv6 addresses are asked for. */
  readonly ipv6: string | null
}

export function testEntriesOf({ host, kind }: ConfiguredList): TestEntries {
  if (kind === 'domain') {
    const { testEntries = [] } = profileOf(host)
    return { listed: [...testEntries, 'test'], absent: 'invalid', ipv6: null }
  }
  return { listed: ['2.0.0.127'], absent: '1.0.0.127', ipv6: ipv6TestEntry(2) }
}

/** The answers to the test entries. */
export interface TestAnswers {
  readonly listed: readonly DnsAnswer[]
  readonly absent: DnsAnswer
  readonly ipv6: DnsAnswer | null
}

export function judgeList(host: string, { listed, absent, ipv6 }: TestAnswers): TestedList {
  const failed = (state: ListState, reason: string): TestedList => ({
    state,
    reason,
    hasIpv6: false
  })
  if (absent.kind === 'answers' && decodeAnswer(host, absent.addresses).result === 'listed') {
    return failed('wildcard', 'It lists everything: its entry that must be missing is there.')
  }
  const decoded = listed.flatMap((answer) =>
    answer.kind === 'answers' ? [decodeAnswer(host, answer.addresses)] : []
  )
  if (!decoded.some(({ result }) => result === 'listed')) {
    const refusal = decoded.find((answer) => answer.result === 'error')
    if (refusal !== undefined) return failed('refused', refusal.message)
    const failure = [...listed, absent].find((answer) => answer.kind === 'failed')
    if (failure !== undefined) {
      return failed('unreachable', `It does not answer (${failure.code}).`)
    }
    return failed('dead', 'It does not hold its test entry: the list has probably ended.')
  }
  if (absent.kind === 'failed') {
    return failed('unreachable', `It does not answer (${absent.code}).`)
  }
  const holdsTest =
    ipv6?.kind === 'answers' && decodeAnswer(host, ipv6.addresses).result === 'listed'
  return {
    state: 'working',
    reason: null,
    hasIpv6: profileOf(host).holdsIpv6 === true || holdsTest
  }
}
