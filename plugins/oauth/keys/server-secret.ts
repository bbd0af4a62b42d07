// The key for everything this server derives or seals: configured, or made once and kept in the database.
import { createHash } from 'node:crypto'
import { EncryptJWT, type JWTPayload, jwtDecrypt } from 'jose'
import type { Collection } from 'mongodb'
import { macOf, newHandle } from '../crypto/handles.ts'
import type { StoredState } from '../storage/rows.ts'

export interface ServerSecret {
  /** A keyed digest of a text, separate for each purpose. */
  mac(purpose: string, text: string): Promise<string>
  /** Encrypts claims for this server; they open for `seconds`. */
  seal(claims: JWTPayload, purpose: string, now: Date, seconds: number): Promise<string>
  /** Undefined for text that was sealed elsewhere, for another purpose, or has expired. */
  open(sealed: string, purpose: string, now: Date): Promise<JWTPayload | undefined>
}

const ROW = 'server-secret'
const MAX_SEALED = 16_384

export function createServerSecret(
  given: string | undefined,
  rows: Collection<StoredState>
): ServerSecret {
  let known: Promise<string> | undefined
  const secret = (): Promise<string> => {
    known ??= given === undefined ? load(rows) : Promise.resolve(given)
    known.catch(() => {
      known = undefined
    })
    return known
  }
  const sealing = async (purpose: string) =>
    createHash('sha256')
      .update(`seal\n${purpose}\n${await secret()}`)
      .digest()
  return {
    mac: async (purpose, text) => macOf(await secret(), purpose, text),
    async seal(claims, purpose, now, seconds) {
      return new EncryptJWT(claims)
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setExpirationTime(Math.floor(now.getTime() / 1000) + seconds)
        .encrypt(await sealing(purpose))
    },
    async open(sealed, purpose, now) {
      if (sealed.length > MAX_SEALED) return undefined
      try {
        const key = await sealing(purpose)
        const options = {
          currentDate: now,
          keyManagementAlgorithms: ['dir'],
          contentEncryptionAlgorithms: ['A256GCM']
        }
        return (await jwtDecrypt(sealed, key, options)).payload
      } catch {
        return undefined
      }
    }
  }
}

async function load(rows: Collection<StoredState>): Promise<string> {
  const row = await rows.findOneAndUpdate(
    { _id: ROW },
    { $setOnInsert: { value: newHandle() } },
    { upsert: true, returnDocument: 'after' }
  )
  return row?.value ?? Promise.reject(new Error('the server secret could not be kept'))
}
