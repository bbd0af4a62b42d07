// Codes, tokens, secrets and handles: 256 random bits, stored as hashes.
import { createHmac, hash, randomBytes } from 'node:crypto'

/** 32 random bytes as 43 characters of base64url. */
export const newHandle = (): string => randomBytes(32).toString('base64url')

/** 16 random bytes; never begins with `-`, so that a command line takes it as a value. */
export function newClientId(): string {
  const id = randomBytes(16).toString('base64url')
  return id.startsWith('-') ? newClientId() : id
}

/** For ids of rows that need not be secret: 16 random bytes in hex. */
export const newRowId = (): string => randomBytes(16).toString('hex')

/** SHA-256, base64url. Enough for values of 256 random bits. */
export const hashOf = (text: string): string => hash('sha256', text, 'base64url')

/** HMAC-SHA256, base64url. `purpose` keeps uses of one key apart. */
export const macOf = (key: string, purpose: string, text: string): string =>
  createHmac('sha256', key).update(`${purpose}\n${text}`).digest('base64url')

/** The family of everything that comes from a code. */
export const familyOf = (codeHash: string): string => hashOf(`family:${codeHash}`)

/** The form of every handle of this server; other text need not be looked up. */
export const isHandle = (text: unknown): text is string =>
  typeof text === 'string' && /^[A-Za-z0-9_-]{43}$/.test(text)
