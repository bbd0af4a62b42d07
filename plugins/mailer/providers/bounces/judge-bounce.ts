// What a refusal means: one judge for every provider. The server's codes come first, its words next, the vendor's last. Pure.
import type { BounceClass } from '../../contracts/mailer-provider.ts'
import { clearClassOf, decisiveCode, isAboutPolicy, openClassOf } from './enhanced-codes.ts'
import { classOfPhrase } from './known-phrases.ts'

/** Every class of a bounce, the one that says most about the mailbox first. */
export const BOUNCE_CLASSES = [
  'mailbox',
  'mailbox_full',
  'block',
  'policy',
  'content',
  'routing',
  'unknown',
  'auto_reply'
] as const satisfies readonly BounceClass[]

/** What is known of a refusal. Anything may be missing. */
export interface Refusal {
  /** The server's words, as `550 5.1.1 no such user`. */
  readonly words?: string | undefined
  /** SMTP reply code. */
  readonly code?: number | undefined
  /** Enhanced status code, as `5.1.1`. */
  readonly enhancedCode?: string | undefined
  /** What the vendor makes of it. */
  readonly vendor?: BounceClass | undefined
  /** What was refused. `message`: words about addresses may be about those in its headers. Default: recipient. */
  readonly refused?: 'recipient' | 'message' | 'sender' | undefined
}

/** The class of a refusal; `unknown` where neither server nor vendor says anything that is known. */
export function judgeBounce(refusal: Refusal): BounceClass {
  const { refused, vendor } = refusal
  const judged = serverClass(refusal) ?? vendor ?? 'unknown'
  return refused === 'sender' && isAboutRecipient(judged) ? 'policy' : judged
}

/** A mailbox that is gone has bounced hard; everything else may pass. */
export const bounceTypeOf = (judged: BounceClass): 'hard' | 'soft' =>
  judged === 'mailbox' ? 'hard' : 'soft'

/** Whether a text is one of the classes. */
export const isBounceClass = (value: unknown): value is BounceClass =>
  BOUNCE_CLASSES.includes(value as BounceClass)

const isAboutRecipient = (judged: BounceClass) => judged === 'mailbox' || judged === 'mailbox_full'

function serverClass({
  words = '',
  code,
  enhancedCode,
  refused
}: Refusal): BounceClass | undefined {
  const codes = [...(enhancedCode === undefined ? [] : [enhancedCode]), ...codesIn(words)]
  const decisive = decisiveCode(codes.filter((one) => ENHANCED.test(one)))
  const reply = code ?? replyCodeIn(words)
  // `450 5.1.1`: the reply code says that it may pass.
  const isFinal = reply === undefined || reply >= 500
  const clear = decisive === undefined ? undefined : clearClassOf(decisive)
  if (clear !== undefined) return clear === 'mailbox' && !isFinal ? 'unknown' : clear
  const phrase = classOfPhrase(words, decisive !== undefined && isAboutPolicy(decisive))
  const isGone = isFinal && decisive?.startsWith('4') !== true && refused !== 'message'
  if (phrase === 'mailbox') return isGone ? phrase : 'unknown'
  return phrase ?? (decisive === undefined ? undefined : openClassOf(decisive))
}

const ENHANCED = /^[45]\.\d{1,3}\.\d{1,3}$/
/** Not a part of an address or of a longer number. */
const CODES = /(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![.\d])/g
const REPLY = /(?:^|[\s<:])(?:smtp;\s*)?([45]\d\d)(?=[\s#-])/i
const MOST_WORDS = 2_000

const codesIn = (words: string): readonly string[] =>
  words.slice(0, MOST_WORDS).match(CODES)?.slice(0, 20) ?? []

function replyCodeIn(words: string): number | undefined {
  const [, code] = REPLY.exec(words.slice(0, MOST_WORDS)) ?? []
  return code === undefined ? undefined : Number(code)
}
