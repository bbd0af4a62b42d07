// The secret of an agent token: 256 random bits behind a prefix, of which the hash alone is kept.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** What each secret begins with, so that scanners for leaked secrets know it. */
export const SECRET_PREFIX = 'ksa_'
/** Enough to tell two secrets of a list apart, and nothing to guess by. */
const ENDING = 4

/** 32 random bytes as 43 characters of base64url, behind the prefix. */
export const newSecret = (): string => SECRET_PREFIX + randomBytes(32).toString('base64url')

/** Whether a text has the form of a secret: any other need not be looked up. */
export const isSecret = (text: string): boolean => /^ksa_[A-Za-z0-9_-]{43}$/.test(text)

/** What a list shows of a secret. */
export const endingOf = (secret: string): string => secret.slice(-ENDING)

/** SHA-256, base64url. A secret has 256 random bits, so it needs neither salt nor stretching. */
export const hashOf = (text: string): string =>
  createHash('sha256').update(text).digest('base64url')

/** Compares two hashes in constant time. */
export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one), Buffer.from(other))

/** The token of an Authorization header; empty without one. */
export const bearerOf = (authorization: string | undefined): string =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
