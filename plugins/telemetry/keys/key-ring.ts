// Looks keys up and verifies their secrets: cached, bounded, and never twice at a time for the same key.
import { createHash, timingSafeEqual } from 'node:crypto'
import { createBoundedMap } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { errors } from '../errors.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { verifySecret } from './secret.ts'

export interface KeyRing {
  /** The key, revoked ones too; null when there is none. */
  find(id: string): Promise<StoredKey | null>
  /** Whether the secret is the key's. */
  isSecretOf(key: StoredKey, secret: string): Promise<boolean>
  /** Notes that a key was used, at most once a minute. */
  touch(key: StoredKey): void
  forget(id: string): void
}

export interface KeyRingOptions {
  readonly keys: Collection<StoredKey>
  /** Milliseconds a looked-up key is believed. Default 60,000. */
  readonly cacheMs?: number
  now(): Date
}

interface Remembered {
  readonly until: number
  readonly key: Promise<StoredKey | null>
  /** Digest of the secret that was right, and those that were wrong. */
  right: Buffer | undefined
  readonly wrong: Set<string>
}

const KEYS = 5000
const WRONG_SECRETS = 100
// scrypt takes 16 MB and a thread of the pool for some 30 ms each time.
const HASHING_AT_ONCE = 2
const HASHING_WAITING = 64
const TOUCH_MS = 60_000

export function createKeyRing({ keys, cacheMs = 60_000, now }: KeyRingOptions): KeyRing {
  const remembered = createBoundedMap<string, Remembered>(KEYS)
  // Apart, because anybody can make up ids: they must not drive out keys that are in use.
  const missing = createBoundedMap<string, Remembered>(KEYS)
  const touched = createBoundedMap<string, number>(KEYS)
  const hashing = createTurnstile(HASHING_AT_ONCE, HASHING_WAITING)

  function recall(id: string): Remembered {
    const known = remembered.get(id) ?? missing.get(id)
    const at = now().getTime()
    if (known !== undefined && known.until > at && known.until - cacheMs <= at) return known
    const entry: Remembered = {
      until: at + cacheMs,
      key: keys.findOne({ _id: id }),
      right: undefined,
      wrong: new Set()
    }
    missing.delete(id)
    remembered.set(id, entry)
    const move = (isMissing: boolean) => {
      if (remembered.get(id) !== entry) return
      remembered.delete(id)
      if (isMissing) missing.set(id, entry)
    }
    entry.key.then(
      (key) => key === null && move(true),
      // A failed look-up is not an answer: the next caller asks again.
      () => move(false)
    )
    return entry
  }

  return {
    find: (id) => recall(id).key,
    async isSecretOf(key, secret) {
      if (key.secretHash === undefined) return false
      const entry = recall(key._id)
      const digest = createHash('sha256').update(secret).digest()
      if (entry.right !== undefined && timingSafeEqual(entry.right, digest)) return true
      const text = digest.toString('base64url')
      if (entry.wrong.has(text)) return false
      const { secretHash } = key
      const isRight = await hashing.pass(() => verifySecret(secret, secretHash))
      if (isRight) entry.right = digest
      else if (entry.wrong.size < WRONG_SECRETS) entry.wrong.add(text)
      return isRight
    },
    touch(key) {
      const at = now().getTime()
      if (at - (touched.get(key._id) ?? 0) < TOUCH_MS) return
      touched.set(key._id, at)
      // Only for people to look at: nothing depends on it.
      keys
        .updateOne({ _id: key._id }, { $set: { lastUsedAt: new Date(at) } })
        .catch(() => undefined)
    },
    forget(id) {
      remembered.delete(id)
      missing.delete(id)
    }
  }
}

interface Turnstile {
  pass<T>(act: () => Promise<T>): Promise<T>
}

/** Lets so many through at once and makes so many wait; refuses the rest. */
function createTurnstile(atOnce: number, maxWaiting: number): Turnstile {
  const waiting: (() => void)[] = []
  let inside = 0
  return {
    async pass(act) {
      if (inside >= atOnce) {
        if (waiting.length >= maxWaiting) throw errors.TEL_OVERLOADED()
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
        })
      } else {
        inside++
      }
      try {
        return await act()
      } finally {
        const next = waiting.shift()
        if (next === undefined) inside--
        else next()
      }
    }
  }
}
