// The line of block lists on the mailer's setup list.
import type { SetupItem, SetupResult } from '@keelson/mailer/contracts'
import type { DnsblReport } from './operations/report.ts'

const HINT = 'Open the page of the list, follow its removal process, and find out what was sent.'

/** Judges what was stored. Pure. */
export function judgeSetup({ checks, disabledLists, reason }: DnsblReport): SetupResult {
  if (reason !== null) return { severity: 'ok', message: `Block lists are not asked: ${reason}.` }
  if (checks.length === 0 && disabledLists.length === 0) {
    return { severity: 'ok', message: 'The block lists were not asked yet.' }
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
      message: `On block lists: ${names}.`,
      hint: HINT,
      items
    }
  }
  if (checks.every(({ result }) => result === 'error')) {
    return {
      severity: 'warn',
      message: 'No block list answers usefully.',
      hint: 'Set dnsServers to your own resolver: many lists refuse public resolvers.'
    }
  }
  return { severity: 'ok', message: 'No target is on a block list.' }
}
