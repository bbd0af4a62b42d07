// Secrets of keys: stored as scrypt hashes, compared in constant time, never on the event loop.
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'

const LENGTH = 32
const COST = { N: 16_384, r: 8, p: 1 } as const
const FORM = /^scrypt1\$([A-Za-z0-9_-]{22})\$([A-Za-z0-9_-]{43})$/

/** `scrypt1$salt$hash`, both base64url. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(secret, salt)
  return `scrypt1$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

/** Whether a secret has that hash. An unreadable hash matches nothing. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [, salt, hash] = FORM.exec(stored) ?? []
  if (salt === undefined || hash === undefined) return false
  const derived = await derive(secret, Buffer.from(salt, 'base64url'))
  return timingSafeEqual(derived, Buffer.from(hash, 'base64url'))
}

function derive(secret: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(secret, salt, LENGTH, COST, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
