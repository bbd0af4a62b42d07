// Values of aggregate reports as their types: what a reporter wrote in another case or form still counts. Pure.
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { AUTH_RESULTS, type AuthResult, type Disposition, type DmarcPolicy } from './report.ts'

const RESULTS: ReadonlySet<string> = new Set(AUTH_RESULTS)
/** A label of letters, digits, hyphens and underscores; the last one is not a number. */
const DOMAIN =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/
const NOT_ASCII = /[^\0-\x7f]/
/** Year 9999. */
const LAST_SECOND = 253_402_300_799
const MOST_MESSAGES = 1_000_000_000_000

/** Undefined is absent, and so is text without any sign. */
export function readText(value: string | undefined): string | null {
  const text = value?.trim() ?? ''
  return text === '' ? null : text
}

export function readResult(value: string | undefined): AuthResult {
  const word = value?.trim().toLowerCase() ?? ''
  // Names of an early draft.
  if (word === 'hardfail') return 'fail'
  if (word === 'error') return 'temperror'
  return RESULTS.has(word) ? (word as AuthResult) : 'unknown'
}

/** Null when it is absent or not one of the three. */
export function readPolicy(value: string | undefined): DmarcPolicy | null {
  const word = value?.trim().toLowerCase()
  return word === 'none' || word === 'quarantine' || word === 'reject' ? word : null
}

export function readDisposition(value: string | undefined): Disposition {
  return value?.trim().toLowerCase() === 'pass' ? 'pass' : (readPolicy(value) ?? 'none')
}

export function readAlignment(value: string | undefined): 'r' | 's' | null {
  const letter = value?.trim().toLowerCase().charAt(0)
  return letter === 'r' || letter === 's' ? letter : null
}

/** A percentage from 0 to 100; null when it is absent or not a number. */
export function readPercent(value: string | undefined): number | null {
  const text = value?.trim() ?? ''
  return /^-?\d{1,9}$/.test(text) ? Math.min(100, Math.max(0, Number(text))) : null
}

/** A domain as DNS has it: lower case, ASCII, without the dot at its end; null when it is not one. */
export function readDomain(value: string | undefined): string | null {
  const given = value?.trim().toLowerCase().replace(/\.$/, '') ?? ''
  const name = NOT_ASCII.test(given) ? domainToASCII(given) : given
  return DOMAIN.test(name) ? name : null
}

/** Seconds since 1970, above 0; null when it is not a time. */
export function readTime(value: string | undefined): Date | null {
  const text = value?.trim() ?? ''
  if (!/^\d{1,12}(\.\d{1,9})?$/.test(text)) return null
  const seconds = Math.trunc(Number(text))
  return seconds > 0 && seconds <= LAST_SECOND ? new Date(seconds * 1000) : null
}

/** A number of messages; null when it is not one. */
export function readCount(value: string | undefined): number | null {
  const text = value?.trim() ?? ''
  if (!/^\d{1,13}$/.test(text)) return null
  const count = Number(text)
  return count <= MOST_MESSAGES ? count : null
}

/** An IP address in its one usual form; IPv4 in IPv6 becomes IPv4. Null when it is not one. */
export function readAddress(value: string | undefined): string | null {
  const text = value?.trim() ?? ''
  if (!ipaddr.IPv4.isValidFourPartDecimal(text) && !ipaddr.IPv6.isValid(text)) return null
  return ipaddr.process(text).toString()
}
