// The server's side of SCRAM-SHA-256 (RFC 5802, RFC 7677), as pure functions over its messages.
import { createHash, createHmac, pbkdf2Sync, timingSafeEqual } from 'node:crypto'

/** MongoDB's default, and what drivers demand at least (4,096). */
export const ITERATIONS = 15_000

/** What the server keeps of a user: enough to check a proof, not enough to make one. */
export interface Credentials {
  readonly user: string
  readonly salt: Buffer
  readonly iterations: number
  readonly storedKey: Buffer
  readonly serverKey: Buffer
}

/** The state between the two steps of a conversation. */
export interface Challenge {
  /** What the client is sent. */
  readonly message: string
  readonly nonce: string
  /** The part of the signed text that is known so far. */
  readonly signed: string
  /** Whether the user is the one that exists; only told at the end. */
  readonly isKnown: boolean
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** Derives what is kept of a password. Takes some milliseconds: do it once. */
export function makeCredentials(user: string, password: string, salt: Buffer): Credentials {
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256')
  const clientKey = hmac(salted, 'Client Key')
  return {
    user,
    salt,
    iterations: ITERATIONS,
    storedKey: createHash('sha256').update(clientKey).digest(),
    serverKey: hmac(salted, 'Server Key')
  }
}

/** Answers the client's first message; `undefined` when it is malformed. */
export function challenge(
  clientFirst: string,
  credentials: Credentials,
  serverNonce: string
): Challenge | undefined {
  const match = /^[ny],,((?:m=[^,]*,)?n=([^,]+),r=([!-+\--~]+))(?:,.*)?$/.exec(clientFirst)
  const [, bare, name, clientNonce] = match ?? []
  if (bare === undefined || name === undefined || clientNonce === undefined) return undefined
  if (bare.startsWith('m=')) return undefined
  const nonce = clientNonce + serverNonce
  const salt = credentials.salt.toString('base64')
  const message = `r=${nonce},s=${salt},i=${credentials.iterations}`
  const user = name.replaceAll('=2C', ',').replaceAll('=3D', '=')
  return { message, nonce, signed: `${bare},${message}`, isKnown: user === credentials.user }
}

/** Checks the client's proof; answers the server's own, or `undefined` when the client is refused. */
export function checkProof(
  clientFinal: string,
  { nonce, signed, isKnown }: Challenge,
  { storedKey, serverKey }: Credentials
): string | undefined {
  const match = /^(c=([A-Za-z0-9+/=]+),r=([^,]+)),p=([A-Za-z0-9+/=]+)$/.exec(clientFinal)
  const [, withoutProof, binding, echoed, proof] = match ?? []
  if (withoutProof === undefined || proof === undefined) return undefined
  if (echoed !== nonce || (binding !== 'biws' && binding !== 'eSws')) return undefined
  const text = `${signed},${withoutProof}`
  const signature = hmac(storedKey, text)
  const given = Buffer.from(proof, 'base64')
  if (given.length !== signature.length) return undefined
  const clientKey = Buffer.from(given.map((byte, index) => byte ^ (signature[index] ?? 0)))
  const isProven = timingSafeEqual(createHash('sha256').update(clientKey).digest(), storedKey)
  if (!isProven || !isKnown) return undefined
  return `v=${hmac(serverKey, text).toString('base64')}`
}
