// A line of the journal: an opt-out that waits for the database. Pure.
import { isMailable } from '../../../ledger/address.ts'
import type { OptOut } from '../record-opt-outs.ts'

const SCOPES: readonly unknown[] = ['all', 'marketing', 'transactional']

/** One line of JSON. */
export function formatOptOut({ at, ...request }: OptOut): string {
  return JSON.stringify({ v: 1, ...request, at: at.toISOString() })
}

/** Undefined when the line is not one of ours. */
export function parseOptOut(line: string): OptOut | undefined {
  const { v, email, scope, category, sendId, at } = parsed(line)
  if (v !== 1 || !isMailable(email) || !SCOPES.includes(scope)) return undefined
  const time = new Date(typeof at === 'string' ? at : Number.NaN)
  if (Number.isNaN(time.getTime())) return undefined
  return {
    email,
    scope: scope as OptOut['scope'],
    at: time,
    ...(typeof category === 'string' && { category }),
    ...(typeof sendId === 'string' && { sendId })
  }
}

function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
