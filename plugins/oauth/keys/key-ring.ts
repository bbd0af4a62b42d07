// The signing keys: configured ones, and those in the database, which can change while the host runs.

import {
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT
} from 'jose'
import type { Collection } from 'mongodb'
import type { SigningAlg } from '../config/schema.ts'
import type { Settings } from '../config/settings.ts'
import { newRowId } from '../crypto/handles.ts'
import { errors } from '../errors.ts'
import type { OAuthKey } from '../storage/rows.ts'
import { readSigningKeys, type SigningKey, thumbprintOf } from './read-keys.ts'
import { createKeySeal, type KeySeal } from './sealed-keys.ts'

type PrivateKey = Parameters<SignJWT['sign']>[0]

interface RingKey {
  readonly kid: string
  readonly alg: SigningAlg
  readonly status: 'active' | 'retiring'
  readonly publicJwk: JWK
  /** Undefined: it is sealed under another secret, so that it verifies and signs nothing. */
  readonly privateKey: (() => PrivateKey | Promise<PrivateKey>) | undefined
  readonly createdAt: Date | undefined
}

export interface KeyRow {
  readonly kid: string
  readonly alg: SigningAlg
  readonly status: 'active' | 'retiring'
  readonly createdAt?: Date
  readonly isConfigured: boolean
}

export interface KeyRing {
  /** Encrypts keys that are in the clear, if a secret is set; makes missing keys, if `signing.autoGenerate` is. */
  prepare(): Promise<void>
  jwks(): Promise<{ readonly keys: readonly JWK[] }>
  /** @throws OAU_NO_SIGNING_KEY */
  sign(claims: JWTPayload, header: { alg: SigningAlg; typ: string }): Promise<string>
  /** The claims of an identity token from this server, also when it has expired; undefined for any other. */
  readIdToken(token: string, issuer: string): Promise<JWTPayload | undefined>
  list(): Promise<readonly KeyRow[]>
  /** Adds a key; the active ones of that algorithm retire. */
  rotate(alg: SigningAlg): Promise<KeyRow>
  /** Deletes a retiring key; tokens signed with it no longer verify. */
  remove(kid: string): Promise<{ readonly removed: boolean }>
}

/** How long a process uses the keys that it read: a rotation needs no restart. */
const FRESH_MS = 5000
/** Seconds that clients and caches may keep the key set. */
export const KEY_SET_SECONDS = 300
/**
 * After so long every process publishes a new key, even with clocks some seconds apart, and every cache of
 * the key set has expired.
 */
const KNOWN_MS = KEY_SET_SECONDS * 1000 + 2 * FRESH_MS
const MAX_KEYS = 50

export function createKeyRing(rows: Collection<OAuthKey>, settings: Settings): KeyRing {
  const configured = readSigningKeys(settings.signingKeys, settings.configuredAlgorithms).map(
    ofConfig
  )
  const seal = settings.secret === undefined ? undefined : createKeySeal(settings.secret)
  let read: { readonly at: number; readonly keys: Promise<readonly RingKey[]> } | undefined

  const all = (): Promise<readonly RingKey[]> => {
    const now = settings.now().getTime()
    // A clock that is set back must not extend the time.
    if (read === undefined || now < read.at || now - read.at >= FRESH_MS) {
      const keys = storedKeys(rows, seal).then((found) => [...configured, ...found])
      read = { at: now, keys }
      keys.catch(() => {
        read = undefined
      })
    }
    return read.keys
  }

  const rotate = async (alg: SigningAlg): Promise<KeyRow> => {
    const { kid, createdAt } = await addKey(rows, alg, { now: settings.now, seal })
    read = undefined
    // Of two rotations at once the later key stays active. Only keys read here retire: a rotation that adds
    // one afterwards has read these, and retiring each other's keys would leave none.
    const [latest, ...earlier] = (await activeOf(rows, alg)).map((row) => row.kid)
    await rows.updateMany(
      { alg, status: 'active', kid: { $in: earlier } },
      { $set: { status: 'retiring' } }
    )
    read = undefined
    const status = latest === undefined || kid === latest ? 'active' : 'retiring'
    return { kid, alg, status, createdAt, isConfigured: false }
  }

  return {
    async prepare() {
      if (seal !== undefined) await sealStored(rows, seal, settings)
      if (!settings.autoGenerateKeys) return
      for (const alg of settings.algorithms) {
        const has = (await all()).some(
          (key) => key.alg === alg && key.status === 'active' && key.privateKey !== undefined
        )
        // Two processes that start at once each make a key; one of them stays active.
        if (!has) await rotate(alg)
      }
    },
    async jwks() {
      const keys = await all()
      return {
        keys: keys.map(({ publicJwk, kid, alg }) => ({ ...publicJwk, kid, alg, use: 'sig' }))
      }
    },
    async sign(claims, { alg, typ }) {
      const key = signerOf(await all(), alg, settings.now())
      if (key?.privateKey === undefined) throw errors.OAU_NO_SIGNING_KEY({ alg })
      return new SignJWT(claims)
        .setProtectedHeader({ alg, typ, kid: key.kid })
        .sign(await key.privateKey())
    },
    readIdToken: async (token, issuer) => readSigned(token, await all(), issuer),
    async list() {
      return (await all()).map(({ kid, alg, status, createdAt }) => ({
        kid,
        alg,
        status,
        ...(createdAt !== undefined && { createdAt }),
        isConfigured: createdAt === undefined
      }))
    },
    rotate,
    async remove(kid) {
      const { deletedCount } = await rows.deleteOne({ kid, status: 'retiring' })
      read = undefined
      return { removed: deletedCount === 1 }
    }
  }
}

async function storedKeys(
  rows: Collection<OAuthKey>,
  seal: KeySeal | undefined
): Promise<readonly RingKey[]> {
  const found = await rows.find().sort({ status: 1, createdAt: -1 }).limit(MAX_KEYS).toArray()
  found.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.kid < b.kid ? -1 : 1))
  return Promise.all(found.map((row) => ofRow(row, seal)))
}

/** Encrypts the keys that are in the clear; safe to run in several processes at once. */
async function sealStored(
  rows: Collection<OAuthKey>,
  seal: KeySeal,
  { logger }: Pick<Settings, 'logger'>
): Promise<void> {
  for (const { _id, kid, privateJwk, sealedJwk } of await rows.find().limit(MAX_KEYS).toArray()) {
    if (privateJwk !== undefined) {
      const sealed = { $set: { sealedJwk: await seal.seal(privateJwk, kid) } }
      await rows.updateOne({ _id }, { ...sealed, $unset: { privateJwk: '' } })
    } else if (sealedJwk !== undefined && (await seal.open(sealedJwk, kid)) === undefined) {
      logger.warn({ kid }, 'a signing key is sealed under another secret: it signs nothing')
    }
  }
}

/** Stored keys, the latest first. */
const activeOf = (rows: Collection<OAuthKey>, alg: SigningAlg): Promise<OAuthKey[]> =>
  rows.find({ alg, status: 'active' }).sort({ createdAt: -1, kid: -1 }).limit(MAX_KEYS).toArray()

async function addKey(
  rows: Collection<OAuthKey>,
  alg: SigningAlg,
  { now, seal }: { readonly now: () => Date; readonly seal: KeySeal | undefined }
): Promise<OAuthKey> {
  const { kid, publicJwk, privateJwk } = await newKey(alg)
  const kept = seal === undefined ? { privateJwk } : { sealedJwk: await seal.seal(privateJwk, kid) }
  // Dated after its making, because other processes can read it only from now on.
  const [latest] = await activeOf(rows, alg)
  const createdAt = new Date(Math.max(now().getTime(), (latest?.createdAt.getTime() ?? 0) + 1))
  const made = { _id: newRowId(), kid, publicJwk, ...kept }
  const row: OAuthKey = { ...made, alg, status: 'active', createdAt }
  await rows.insertOne(row)
  return row
}

/**
 * The first active key that every process and client knows by now. While all active keys are newer, the key
 * that retired last still signs; right after the first start, the oldest key.
 */
function signerOf(keys: readonly RingKey[], alg: SigningAlg, now: Date): RingKey | undefined {
  const own = keys.filter((key) => key.alg === alg && key.privateKey !== undefined)
  const active = own.filter(({ status }) => status === 'active')
  const isKnown = ({ createdAt }: RingKey) =>
    createdAt === undefined || now.getTime() - createdAt.getTime() > KNOWN_MS
  const known = active.find(isKnown)
  if (known !== undefined || active.length === 0) return known
  // Configured keys that are retiring never sign.
  const stored = own.filter(({ createdAt }) => createdAt !== undefined)
  return stored.findLast((key) => key.status === 'retiring' && isKnown(key)) ?? stored[0]
}

const MAX_TOKEN = 8192

async function readSigned(
  token: string,
  keys: readonly RingKey[],
  issuer: string
): Promise<JWTPayload | undefined> {
  if (token.length > MAX_TOKEN) return undefined
  try {
    const { kid, alg, typ } = decodeProtectedHeader(token)
    const key = keys.find((one) => one.kid === kid && one.alg === alg)
    if (key === undefined || typ !== 'JWT') return undefined
    const verified = await compactVerify(token, await importJWK({ ...key.publicJwk }, key.alg))
    const claims = JSON.parse(new TextDecoder().decode(verified.payload)) as JWTPayload
    return claims.iss === issuer ? claims : undefined
  } catch {
    return undefined
  }
}

const ofConfig = (key: SigningKey): RingKey => ({
  ...key,
  privateKey: () => key.privateKey,
  createdAt: undefined
})

async function ofRow(row: OAuthKey, seal: KeySeal | undefined): Promise<RingKey> {
  const { privateJwk = row.sealedJwk && (await seal?.open(row.sealedJwk, row.kid)) } = row
  let imported: Promise<PrivateKey> | undefined
  return {
    kid: row.kid,
    alg: row.alg,
    status: row.status,
    publicJwk: row.publicJwk,
    createdAt: row.createdAt,
    privateKey: privateJwk
      ? () => {
          imported ??= importJWK({ ...privateJwk }, row.alg)
          return imported
        }
      : undefined
  }
}

async function newKey(
  alg: SigningAlg
): Promise<{ readonly kid: string; readonly publicJwk: JWK; readonly privateJwk: JWK }> {
  const pair = await generateKeyPair(alg, { extractable: true })
  const [publicJwk, privateJwk] = await Promise.all([
    exportJWK(pair.publicKey),
    exportJWK(pair.privateKey)
  ])
  return { kid: thumbprintOf(publicJwk), publicJwk, privateJwk }
}
