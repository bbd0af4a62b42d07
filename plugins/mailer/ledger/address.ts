// Mail addresses as the mailer compares and stores them: one form for one mailbox.
import { createHash } from 'node:crypto'
import { domainToASCII, domainToUnicode } from 'node:url'

/** Deliberately loose: one `@`, no spaces, no brackets or names around it. The provider knows better. */
const ADDRESS = /^[^@\s<>]+@[^@\s<>]+$/
const MAX_ADDRESS = 320
const NOT_ASCII = /[^\0-\x7f]/

/**
 * The form that is stored, compared and mailed to: trimmed, lower case, an international domain as DNS has it
 * (`info@xn--mnchen-3ya.example`). Only in theory do local parts differ by case.
 */
export function normalAddress(email: string): string {
  const lower = email.trim().toLowerCase()
  if (!NOT_ASCII.test(lower)) return lower
  const [local, domain] = partsOf(lower)
  return local + (NOT_ASCII.test(domain) ? domainToASCII(domain) || domain : domain)
}

/**
 * The forms that texts of others have of an address, the normal one first: hosts store an international domain
 * in Unicode, and so did the mailer before it had one form.
 */
export function addressForms(email: string): readonly string[] {
  const normal = normalAddress(email)
  const [local, domain] = partsOf(normal)
  if (!domain.includes('xn--')) return [normal]
  return [
    ...new Set([normal, local + (domainToUnicode(domain) || domain), email.trim().toLowerCase()])
  ]
}

/** `ann@` and `example.test`. */
function partsOf(email: string): readonly [local: string, domain: string] {
  const start = email.lastIndexOf('@') + 1
  return [email.slice(0, start), email.slice(start)]
}

/** Whether mail can go to this address. Contacts of a host may hold anything. */
export const isMailable = (email: unknown): email is string =>
  typeof email === 'string' && email.trim().length <= MAX_ADDRESS && ADDRESS.test(email.trim())

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** SHA-256 of the normal form, hex: how a suppression is found, and all that an erasure leaves. */
export const addressHash = (email: string): string => hashOf(normalAddress(email))

/** The hashes under which rows of an address may be, those of before it had one form included. */
export const addressHashes = (email: string): readonly string[] => addressForms(email).map(hashOf)

/** The domain of an address in its normal form; the whole text when it has none. */
export const domainOf = (email: string): string => partsOf(normalAddress(email))[1]
