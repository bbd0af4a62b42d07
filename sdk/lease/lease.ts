// The one lease: what only one process of the platform may do at a time.
import { randomUUID } from 'node:crypto'
import type { ClientSession, Collection, Db } from 'mongodb'
import type { Clock } from '../clock.ts'
import { KERNEL_PREFIX } from '../storage/index-records.ts'
import { endLease, type LeaseKey, renewLease, type StoredLease, takeLease } from './lease-store.ts'

/** How a lease is held. */
export interface LeaseOptions {
  /**
   * From its last renewal to its end, at most 3,600. It is renewed three times in that time while `fn` runs; when the
   * process dies, another may take it after it. Clocks of the machines must agree to well within it.
   */
  readonly seconds: number
  /** Aborts the signal of the lease, too: of the job, or of the host. */
  readonly signal?: AbortSignal
}

/** A lease that is held. */
export interface Lease {
  /** Names this holder: another one each time a lease is taken. */
  readonly owner: string
  /** Aborted when the lease is lost, or by the signal of the options. */
  readonly signal: AbortSignal
  /**
   * Renews it now. With a session it is part of the transaction: what is written there is written only while the lease
   * is held.
   *
   * @throws LeaseLost when another process took it
   */
  keep(session?: ClientSession): Promise<void>
}

/** What came of it: `held` is false when another process holds it, or took it before `fn` ended. */
export type Leased<T> = { readonly held: true; readonly value: T } | { readonly held: false }

/** Runs `fn` while it holds the lease `name`. Rejects as `fn` does. */
export type TakeLease = <T>(
  name: string,
  options: LeaseOptions,
  fn: (lease: Lease) => Promise<T> | T
) => Promise<Leased<T>>

/** The lease was lost while its holder was at work. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'

  constructor(lease: string) {
    super(`the lease ${lease} was lost: another process took it`)
  }
}

/** What leases are made on. */
export interface LeasesOptions {
  readonly db: Db
  readonly clock: Clock
  /** Before each name, as `mailer`: leases of one owner never meet those of another. */
  readonly owner: string
}

const RENEWALS = 3
const LONGEST_S = 3_600
/** Longer than any lease. */
const FORGET_S = 86_400

/**
 * Makes the leases of a plugin or of the kernel, in the one collection of the database. Under the kernel this is
 * `host.lease`. Nothing is read or written before the first is taken.
 */
export function openLeases({ db, clock, owner }: LeasesOptions): TakeLease {
  const leases = db.collection<StoredLease>(`${KERNEL_PREFIX}leases`)
  let prepared: Promise<unknown> | undefined
  const prepare = () => {
    const expiry = { name: 'expiry', expireAfterSeconds: FORGET_S }
    // Without it leases work all the same; only rows of processes that died stay.
    prepared ??= leases.createIndex({ seenAt: 1 }, expiry).catch(() => {})
    return prepared
  }
  return async (name, { seconds, signal }, fn) => {
    if (!(seconds > 0 && seconds <= LONGEST_S)) {
      throw new RangeError(`seconds of a lease must be more than 0 and at most ${LONGEST_S}`)
    }
    await prepare()
    const key = { name: `${owner}/${name}`, owner: randomUUID() }
    const now = clock.now()
    const until = new Date(now.getTime() + seconds * 1000)
    if (!(await takeLease(leases, key, { now, until }))) return { held: false }
    return holdLease({ leases, clock, seconds, key, signal }, fn)
  }
}

interface Holding {
  readonly leases: Collection<StoredLease>
  readonly clock: Clock
  readonly seconds: number
  readonly key: LeaseKey
  readonly signal: AbortSignal | undefined
}

async function holdLease<T>(holding: Holding, fn: (lease: Lease) => Promise<T> | T) {
  const { leases, seconds, key, signal } = holding
  // One listener that is taken off again: AbortSignal.any leaves a trace on a signal that lives long.
  const end = new AbortController()
  const stop = () => end.abort(signal?.reason)
  if (signal?.aborted === true) stop()
  signal?.addEventListener('abort', stop)
  let isLost = false
  const lose = () => {
    isLost = true
    end.abort(new LeaseLost(key.name))
  }
  const renewal = createRenewal(holding, lose)
  // Work that needs no renewal any more does not keep its process alive.
  const timer = setInterval(renewal.tick, (seconds * 1000) / RENEWALS).unref()
  const keep = async (session?: ClientSession) => {
    if (!isLost && (await renewal.renew(session))) return
    lose()
    throw new LeaseLost(key.name)
  }
  const release = () => {
    clearInterval(timer)
    signal?.removeEventListener('abort', stop)
    // When it cannot be ended, it ends with its time.
    return endLease(leases, key).catch(() => true)
  }
  try {
    const value = await fn({ owner: key.owner, signal: end.signal, keep })
    const wasHeld = await release()
    return wasHeld && !isLost ? ({ held: true, value } as const) : ({ held: false } as const)
  } catch (error) {
    await release()
    if (isLost && error instanceof LeaseLost) return { held: false } as const
    throw error
  }
}

/** Renews in the background. A renewal that fails is tried again until the time of the lease is over. */
function createRenewal({ leases, clock, seconds, key }: Holding, lose: () => void) {
  const end = () => clock.now().getTime() + seconds * 1000
  let until = end()
  let isAsking = false
  const renew = async (session?: ClientSession): Promise<boolean> => {
    const next = end()
    const isHeld = await renewLease(leases, key, new Date(next), session)
    // What a transaction writes may still be undone.
    if (isHeld && session === undefined) until = next
    return isHeld
  }
  const loseWhenOver = () => {
    if (clock.now().getTime() >= until) lose()
  }
  return {
    renew,
    tick() {
      if (isAsking) return loseWhenOver()
      isAsking = true
      renew()
        .then((isHeld) => isHeld || lose(), loseWhenOver)
        .finally(() => {
          isAsking = false
        })
    }
  }
}
