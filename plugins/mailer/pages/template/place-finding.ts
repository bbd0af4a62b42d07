// Where in a source a finding is: in the attribute, the text or the slot that its rule is about. Pure.

/** A stretch of the source. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** A field beside the source. */
export type PlainField = 'subject' | 'preheader' | 'fromEmail'

/** What a place is looked for by. */
export interface Unplaced {
  readonly rule: string
  readonly message: string
}

type Find = (source: string, message: string) => Span | undefined

const blank = (text: string) => ' '.repeat(text.length)
/** The source without its tags and comments, each other character in its place. */
const textOnly = (source: string) => source.replace(/<!--[\s\S]*?-->|<\/?[a-z][^>]*>/gi, blank)
/** The source without everything but slots. */
const slotsOnly = (source: string) =>
  source.replace(/(\{\{[^{}]*\}\}\}?)|[^{]+|\{/g, (all, slot?: string) => slot ?? blank(all))

/** The targets of links, in their quotes. */
function linksOf(source: string): readonly (Span & { readonly target: string })[] {
  const found = source.matchAll(/\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)
  return [...found].map(({ 0: all, 1: double, 2: single, index }) => {
    const target = double ?? single ?? ''
    const to = index + all.length - 1
    return { target, from: to - target.length, to }
  })
}

/** The first link whose target passes. */
const link = (source: string, passes: (target: string) => boolean) =>
  linksOf(source).find(({ target }) => passes(target.trim().toLowerCase()))

function matched(source: string, pattern: RegExp): Span | undefined {
  const found = pattern.exec(source)
  return found === null ? undefined : { from: found.index, to: found.index + found[0].length }
}

function within(text: string, words: string): Span | undefined {
  const from = words.length < 2 ? -1 : text.toLowerCase().indexOf(words.toLowerCase())
  return from === -1 ? undefined : { from, to: from + words.length }
}

const QUOTED = /["“]([^"”]+)["”]/g
/** Hosts that a message complains about: `… example.com, other.test, not to acme.test.` names the sender's own last. */
const hostsIn = (message: string) =>
  message.replace(/, not to .*/, '').match(/(?:[\w-]+\.)+[a-z]{2,}/gi) ?? []

/** A link to one of the hosts that the message names. */
const hostLink: Find = (source, message) => {
  const hosts = hostsIn(message).map((host) => host.toLowerCase())
  const isOfHost = (value: string) =>
    hosts.some((host) =>
      new RegExp(`^https?://([^/?#]*\\.)?${escaped(host)}([/?#:]|$)`).test(value)
    )
  return link(source, isOfHost)
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Words that the message quotes: in the text, else anywhere. */
const quoted: Find = (source, message) => {
  const words = [...message.matchAll(QUOTED)].map(([, word = '']) => word)
  const places = [textOnly(source), source]
  return places.flatMap((text) => words.map((word) => within(text, word))).find((span) => span)
}

const variable: Find = (source, message) => {
  const name = /vars\.\w+/.exec(message)?.[0]
  return name === undefined
    ? undefined
    : matched(slotsOnly(source), new RegExp(`${escaped(name)}\\b`))
}

const FINDS: Readonly<Record<string, Find>> = {
  image_missing_alt: (source) => matched(source, /<(?:mj-image|img)\b(?![^>]*\salt\s*=)[^>]*>/i),
  image_only_link: (source) =>
    matched(source, /<mj-image\b[^>]*\shref=[^>]*>|<a\b[^>]*>\s*<img\b/i),
  image_only_body: (source) => matched(source, /<(?:mj-image|img)\b[^>]*>/i),
  url_shortener: hostLink,
  offdomain_links: hostLink,
  insecure_link: (source) => link(source, (target) => target.startsWith('http://')),
  bare_url: (source) => matched(textOnly(source), /https?:\/\/[^\s<>"{}]+/i),
  unknown_variable: variable,
  spam_phrases: quoted,
  placeholder_text: quoted,
  compile_lost: quoted
}

/** Rules that are about a field; those of words only when the field holds them. */
const FIELDS: Readonly<Record<string, PlainField>> = {
  empty_preheader: 'preheader',
  all_caps_subject: 'subject',
  subject_too_long: 'subject',
  sender_domain_invalid: 'fromEmail'
}

/** Where a finding is: a stretch of the source, or a field; undefined when it is about the whole mail. */
export function placeOf(
  { rule, message }: Unplaced,
  source: string,
  fields: Readonly<Record<PlainField, string>>
): Span | PlainField | undefined {
  const field = FIELDS[rule]
  if (field !== undefined) return field
  const line = /\bline (\d+)\b/i.exec(message)?.[1]
  if (line !== undefined) return lineSpan(source, Number(line))
  // Gates of other plugins have rules of their own: what they quote is looked for.
  const span = (FINDS[rule] ?? quoted)(source, message)
  if (span !== undefined) return span
  const names = [...message.matchAll(QUOTED)].map(([, word = '']) => word)
  const variables = message.match(/vars\.\w+/g) ?? []
  return (['subject', 'preheader'] as const).find((name) =>
    [...names, ...variables].some((word) => within(fields[name], word) !== undefined)
  )
}

/** Counts from 1. */
export const lineAt = (source: string, at: number): number => source.slice(0, at).split('\n').length

/** A line without the white space before it. */
export function lineSpan(source: string, line: number): Span | undefined {
  const lines = source.split('\n')
  const text = lines[line - 1]
  if (text === undefined) return undefined
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  const from = start + (text.length - text.trimStart().length)
  return { from, to: start + text.length }
}
