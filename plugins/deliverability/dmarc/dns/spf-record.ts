// Parses an SPF record by the grammar of RFC 7208: its terms, and each fault with its place. Pure.
import { isIPv4, isIPv6 } from 'node:net'

/** What a term of a record asks or says. */
export interface SpfTerm {
  /** Where it begins in the record, counted from 1. */
  readonly at: number
  readonly text: string
  /** Lower case: a mechanism, or the name of a modifier. */
  readonly name: string
  readonly isModifier: boolean
  /** `+` where the record has none. */
  readonly sign: '+' | '-' | '~' | '?'
  /** The domain or address, without prefix length; empty when the term has none. */
  readonly value: string
}

/** A syntax error: receivers answer `permerror` for all mail of the domain (section 4.6). */
export interface SpfFault {
  readonly at: number
  readonly text: string
  readonly problem: string
}

/** A record as its terms. */
export interface ParsedSpf {
  readonly terms: readonly SpfTerm[]
  readonly faults: readonly SpfFault[]
}

/** Whether a TXT record is an SPF record (section 4.5). */
export const isSpfRecord = (text: string): boolean => /^v=spf1( |$)/i.test(text)

const MECHANISM = /^([+?~-]?)([a-z0-9]+)(?=[:/]|$)(.*)$/is
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/is
/** Macros of section 7; `c`, `r` and `t` are for explanations alone. */
const MACRO = /%\{[slodiphv](?:[1-9]\d{0,2})?r?[.\-+,/_=]*\}|%%|%_|%-/gi
const MACRO_OF_EXP = /%\{[slodiphvcrt](?:[1-9]\d{0,2})?r?[.\-+,/_=]*\}|%%|%_|%-/gi
const TOP_LABEL = /\.(?=[a-z0-9-]*[a-z-])[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.?$/i
const MACRO_AT_END = /(?:\}|%%|%_|%-)$/
const PREFIXES = /(\/[^/]*)?(\/\/[^/]*)?$/

/** What follows the name of a mechanism: what is wrong with it, and its value. */
type Argument = { readonly value: string; readonly problem?: string | undefined }

const MECHANISMS: Readonly<Record<string, (rest: string) => Argument>> = {
  all: (rest) => ({ value: '', problem: rest === '' ? undefined : 'all takes no value' }),
  include: (rest) => domainOnly(rest, true),
  exists: (rest) => domainOnly(rest, true),
  ptr: (rest) => domainOnly(rest, false),
  a: domainWithPrefix,
  mx: domainWithPrefix,
  ip4: (rest) => network(rest, { isAddress: isIPv4, most: 32, kind: 'IPv4' }),
  ip6: (rest) => network(rest, { isAddress: isIPv6, most: 128, kind: 'IPv6' })
}

/** Parses a record that `isSpfRecord` knows. Terms with a fault are not among `terms`. */
export function parseSpf(record: string): ParsedSpf {
  const terms: SpfTerm[] = []
  const faults: SpfFault[] = []
  const seen = new Set<string>()
  // Only spaces part terms.
  for (const { 0: text, index } of record.matchAll(/[^ ]+/g)) {
    if (index === 0) continue
    const at = index + 1
    const read = readTerm(text)
    const isAgain =
      read.isModifier && ['redirect', 'exp'].includes(read.name) && seen.has(read.name)
    const problem = isAgain ? `${read.name} is there twice` : read.problem
    if (read.isModifier) seen.add(read.name)
    if (problem !== undefined) faults.push({ at, text, problem })
    else terms.push({ at, text, ...read })
  }
  return { terms, faults }
}

type ReadTerm = Omit<SpfTerm, 'at' | 'text'> & { readonly problem?: string | undefined }

function readTerm(text: string): ReadTerm {
  const [, sign = '', written = '', rest = ''] = MECHANISM.exec(text) ?? []
  const name = written.toLowerCase()
  const mechanism = Object.hasOwn(MECHANISMS, name) ? MECHANISMS[name] : undefined
  if (mechanism !== undefined)
    return { name, isModifier: false, sign: (sign || '+') as SpfTerm['sign'], ...mechanism(rest) }
  const [, modifier = '', value = ''] = MODIFIER.exec(text) ?? []
  const known = {
    name: modifier.toLowerCase(),
    isModifier: modifier !== '',
    sign: '+',
    value
  } as const
  if (modifier === '') return { ...known, problem: 'it is neither a mechanism nor a modifier' }
  if (known.name === 'redirect' || known.name === 'exp')
    return { ...known, problem: domainProblem(value) }
  return { ...known, problem: macroProblem(value, MACRO_OF_EXP) }
}

function domainOnly(rest: string, isNeeded: boolean): Argument {
  if (rest === '') return { value: '', problem: isNeeded ? 'the domain is missing' : undefined }
  const value = rest.slice(1)
  return {
    value,
    problem: rest.startsWith(':') ? domainProblem(value) : 'a domain follows a colon'
  }
}

function domainWithPrefix(rest: string): Argument {
  const [all = '', four, six] = PREFIXES.exec(rest) ?? []
  const domain = rest.slice(0, rest.length - all.length)
  const problem =
    prefixProblem(four?.slice(1), 32) ??
    prefixProblem(six?.slice(2), 128) ??
    (domain === '' ? undefined : domainProblem(domain.slice(1)))
  return { value: domain.slice(1), problem }
}

interface Family {
  readonly isAddress: (text: string) => boolean
  readonly most: number
  readonly kind: string
}

function network(rest: string, { isAddress, most, kind }: Family): Argument {
  const [address = '', prefix, ...more] = rest.slice(1).split('/')
  if (rest === '' || address === '') return { value: '', problem: 'the address is missing' }
  const isWhole =
    rest.startsWith(':') && more.length === 0 && isAddress(address) && !address.includes('%')
  const problem = isWhole
    ? prefixProblem(prefix, most)
    : `"${rest.slice(1, 61)}" is not an ${kind} network`
  return { value: address, problem }
}

function prefixProblem(prefix: string | undefined, most: number): string | undefined {
  if (prefix === undefined) return undefined
  const isRight = /^(0|[1-9]\d{0,2})$/.test(prefix) && Number(prefix) <= most
  return isRight ? undefined : `the prefix length must be from 0 to ${most}`
}

/** Section 7.1: what may be a domain. Its last label is a name, or a macro makes it. */
function domainProblem(domain: string): string | undefined {
  if (domain === '') return 'the domain is missing'
  const macro = macroProblem(domain, MACRO)
  if (macro !== undefined) return macro
  return TOP_LABEL.test(domain) || MACRO_AT_END.test(domain)
    ? undefined
    : `"${domain.slice(0, 60)}" is not a domain`
}

function macroProblem(text: string, macros: RegExp): string | undefined {
  if (/[^\x21-\x7e]/.test(text)) return 'it has a character that is not allowed'
  const rest = text.replace(macros, '')
  return rest.includes('%') ? 'it has a macro that is unknown or not closed' : undefined
}
