// Mail addresses as the mailer compares and stores them.
import { createHash } from 'node:crypto'

/** Deliberately loose: one `@`, no spaces, at most 320 characters. The provider knows better. */
const ADDRESS = /^[^@\s]+@[^@\s]+$/
const MAX_ADDRESS = 320

/** The form that is stored and compared: trimmed, lower case. */
export const normalAddress = (email: string): string => email.trim().toLowerCase()

/** Whether mail can go to this address. Contacts of a host may hold anything. */
export const isMailable = (email: unknown): email is string =>
  typeof email === 'string' && email.trim().length <= MAX_ADDRESS && ADDRESS.test(email.trim())

/** SHA-256 of the lower-case address, hex: how a suppression is found, and all that an erasure leaves. */
export const addressHash = (email: string): string =>
  createHash('sha256').update(normalAddress(email)).digest('hex')

/** The domain of an address, lower case; the whole text when it has none. */
export const domainOf = (email: string): string =>
  normalAddress(email).slice(email.trim().lastIndexOf('@') + 1)
