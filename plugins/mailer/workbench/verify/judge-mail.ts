// The checks of a rendered mail that the mailer makes itself. Pure.
import type { RenderedMail } from '../../contracts/mailer-verify-check.ts'
import type { MailCheck } from '../../contracts/workbench-states.ts'
import { isOpenable, linksIn } from './links-in.ts'

/** What is judged. */
export interface JudgedMail {
  readonly kind: 'marketing' | 'transactional'
  readonly mail: RenderedMail
  /** What the template prints: paths with their values; a value that is missing is undefined. */
  readonly values: ReadonlyMap<string, unknown>
  /** The configured postal address. */
  readonly senderAddress: string | undefined
  /** Why the From address must not send this kind. */
  readonly senderProblem: string | undefined
}

/** Gmail clips longer mails. */
const CLIP_BYTES = 102 * 1024
const SHORT_TEXT = 40
const LONG_SUBJECT = 78
const SHOWN = 50

type Judge = (judged: JudgedMail) => MailCheck | null

const pass = (id: string): MailCheck => ({ id, status: 'pass' })

/** Leftover slots: text that a value brought in is not filled again. */
const placeholders: Judge = ({ mail }) => {
  const id = 'unresolved_placeholders'
  const texts = [mail.subject, mail.preheader, mail.html, mail.text]
  const found = [...new Set(texts.flatMap((text) => text.match(/\{\{[^{}]*\}\}/g) ?? []))]
  if (found.length === 0) return pass(id)
  const message = `The mail shows ${found[0]}.`
  const fix = 'Remove the braces from the value that brings them in.'
  return { id, status: 'fail', message, fix, detail: { placeholders: found.slice(0, SHOWN) } }
}

const unknownVariables: Judge = ({ values }) => {
  const id = 'unknown_variables'
  const missing = [...values].filter(([, value]) => value === undefined).map(([path]) => path)
  if (missing.length === 0) return pass(id)
  const message = `The template prints ${missing[0]}, which has no value.`
  const fix = 'Pass it in vars, give it a default, or correct its name.'
  return { id, status: 'fail', message, fix, detail: { missing } }
}

const emptyVariables: Judge = ({ values }) => {
  const id = 'empty_variables'
  const empty = [...values]
    .filter(([, value]) => value === null || value === '')
    .map(([path]) => path)
  if (empty.length === 0) return pass(id)
  const message = `${empty[0]} is empty for this contact.`
  const fix = 'Give it a value, or print it inside {{#if}}.'
  return { id, status: 'warn', message, fix, detail: { empty } }
}

const links: Judge = ({ mail }) => {
  const id = 'links_absolute'
  const invalid = linksIn(mail.html).filter((link) => !isOpenable(link))
  if (invalid.length === 0) return pass(id)
  const message = `The link ${JSON.stringify(invalid[0])} does not open from a mail.`
  const fix = 'Write the whole address, with https://.'
  return { id, status: 'fail', message, fix, detail: { invalid: invalid.slice(0, SHOWN) } }
}

const unsubscribeLink: Judge = ({ kind, mail }) => {
  const id = 'unsubscribe_link'
  if (kind !== 'marketing') return null
  const { unsubscribeUrl, html, text } = mail
  const body = html === '' ? text : html
  if (unsubscribeUrl !== null && body.includes(unsubscribeUrl)) return pass(id)
  const message = 'The mail does not have its unsubscribe address.'
  return { id, status: 'fail', message, fix: 'Link {{unsubscribeUrl}}.' }
}

const senderAddress: Judge = ({ kind, mail, senderAddress: address }) => {
  const id = 'sender_address'
  if (kind !== 'marketing' || address === undefined) return null
  const plain = mail.html.replace(/<[^>]*>/g, ' ')
  const flat = (text: string) => text.replace(/\s+/g, ' ')
  if (flat(`${plain} ${mail.text}`).includes(flat(address))) return pass(id)
  const message = 'The mail does not show the postal address of its sender.'
  return { id, status: 'fail', message, fix: 'Print {{senderAddress}}.' }
}

const plainText: Judge = ({ mail }) => {
  const id = 'plain_text'
  const { length } = mail.text.trim()
  if (length >= SHORT_TEXT) return pass(id)
  const fix = 'Write more text, or set body.plainText.'
  if (length === 0) return { id, status: 'fail', message: 'The text part is empty.', fix }
  const message = `The text part has ${length} characters.`
  return { id, status: 'warn', message, fix, detail: { length } }
}

const subject: Judge = ({ mail }) => {
  const id = 'subject'
  const { length } = mail.subject.trim()
  if (length === 0) {
    return { id, status: 'fail', message: 'The subject is empty.', fix: 'Write a subject.' }
  }
  if (length <= LONG_SUBJECT) return pass(id)
  const message = `The subject has ${length} characters, and mail programs cut it.`
  const fix = `Use at most ${LONG_SUBJECT} characters.`
  return { id, status: 'warn', message, fix, detail: { length } }
}

const fromDomain: Judge = ({ senderProblem }) => {
  const id = 'from_domain'
  if (senderProblem === undefined) return pass(id)
  const fix = 'Use a domain of senderDomains that allows this kind.'
  return { id, status: 'fail', message: senderProblem, fix }
}

const htmlSize: Judge = ({ mail }) => {
  const id = 'html_size'
  const bytes = Buffer.byteLength(mail.html)
  if (bytes <= CLIP_BYTES) return pass(id)
  const message = `The HTML has ${Math.ceil(bytes / 1024)} kB, and Gmail clips it at 102 kB.`
  return { id, status: 'warn', message, fix: 'Make the mail shorter.', detail: { bytes } }
}

const JUDGES: readonly Judge[] = [
  placeholders,
  unknownVariables,
  emptyVariables,
  links,
  unsubscribeLink,
  senderAddress,
  plainText,
  subject,
  fromDomain,
  htmlSize
]

/** Every check that applies to this mail. */
export const judgeMail = (judged: JudgedMail): readonly MailCheck[] =>
  JUDGES.map((judge) => judge(judged)).filter((result) => result !== null)
