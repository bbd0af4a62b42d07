// The line of block lists on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import { defineSentences, hintOf } from '@keelson/sdk'
import type { DnsblReport } from './operations/report.ts'

/** By code; pages have the same in other languages. */
export const blockListSentences = {
  'lists.off': 'Block lists are not asked: they are turned off.',
  'lists.noTargets': 'Block lists are not asked: there is no domain or address to ask about.',
  'lists.never': 'The block lists were not asked yet.',
  'lists.listed': 'On block lists: {names}.',
  'lists.remove':
    'Open the page of the list, follow its removal process, and find out what was sent.',
  'lists.silent': 'No block list answers usefully.',
  'lists.resolver': 'Set dnsServers to your own resolver: many lists refuse public resolvers.',
  'lists.clean': 'No target is on a block list.'
} as const

const say = defineSentences(blockListSentences)

/** Judges what was stored. Pure. */
export function judgeSetup({ checks, disabledLists, reason }: DnsblReport): SetupResult {
  if (reason !== null) {
    return { severity: 'ok', ...say(reason === 'disabled' ? 'lists.off' : 'lists.noTargets') }
  }
  if (checks.length === 0 && disabledLists.length === 0) {
    return { severity: 'ok', ...say('lists.never') }
  }
  const listed = checks.filter(({ result }) => result === 'listed')
  const items = listed.map(
    ({ target, listLabel, category, codes }): SetupItem => ({
      label: `${target} on ${listLabel}`,
      severity: category === 'reputation' ? 'error' : 'warn',
      message: codes.map(({ meaning }) => meaning).join('; ')
    })
  )
  if (items.length > 0) {
    const isGrave = items.some(({ severity }) => severity === 'error')
    const names = [...new Set(listed.map(({ target }) => target))].slice(0, 5).join(', ')
    return {
      severity: isGrave ? 'error' : 'warn',
      ...say('lists.listed', { names }),
      ...hintOf(say('lists.remove')),
      items
    }
  }
  if (checks.every(({ result }) => result === 'error')) {
    return {
      severity: 'warn',
      ...say('lists.silent'),
      ...hintOf(say('lists.resolver'))
    }
  }
  return { severity: 'ok', ...say('lists.clean') }
}
