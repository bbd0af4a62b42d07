// Loads what an element shows: starts again when its arguments change, and aborts what is outdated.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { Format } from '../format.ts'
import { loadTranslations } from '../locales/catalog.ts'
import { BusyEvent } from '../page.ts'

/** The state of a load: nothing asked yet, on its way, answered, failed. */
export type LoadStatus = 'initial' | 'pending' | 'complete' | 'error'

/** What a `Load` loads, and when. */
export interface LoadOptions<Args extends readonly unknown[], T> {
  /** Compared one by one after each change of the host. `null`: nothing to load now. */
  args(): Args | null
  /** Loads. `signal` is aborted when the result is no longer needed. */
  run(args: Args, signal: AbortSignal): Promise<T>
  /** A load whose value `args` needs: when it fails, this one counts as failed too. */
  readonly needs?: { readonly failure: unknown; readonly value: unknown }
  /** The page shows a failure itself: its banner does not. */
  readonly quiet?: boolean
}

/** An element in a language. */
export type LoadHost = ReactiveControllerHost &
  HTMLElement & { readonly format: Pick<Format, 'locale'> }

type Failing = Pick<Load<readonly unknown[], unknown>, 'fault' | 'retry'>
type Listed = Failing & Pick<Load<readonly unknown[], unknown>, 'renew'>
const loads = new WeakMap<object, Listed[]>()

/** The loads of a page whose failure its banner shows. */
export const failedLoads = (host: object): readonly Failing[] =>
  (loads.get(host) ?? []).filter(({ fault }) => fault !== undefined)

/** Loads everything of a page again, because it comes from another place now. */
export function renewLoads(host: object): void {
  for (const load of loads.get(host) ?? []) load.renew()
}

/**
 * One load in four states. The last good value stays while the next one is on its way, and after a failure
 * when the arguments are still the same.
 */
export class Load<Args extends readonly unknown[], T> implements ReactiveController {
  readonly #host: LoadHost
  readonly #options: LoadOptions<Args, T>
  #args: Args | null = null
  /** What the value answers. */
  #answered: Args | null = null
  /** There is nothing to load now. */
  #isIdle = false
  #running: AbortController | undefined
  status: LoadStatus = 'initial'
  value: T | undefined
  error: unknown

  constructor(host: LoadHost, options: LoadOptions<Args, T>) {
    this.#host = host
    this.#options = options
    loads.set(host, [...(loads.get(host) ?? []), this])
    host.addController(this)
  }

  /** Whether an answer is on its way. */
  get isPending(): boolean {
    return this.status === 'pending'
  }

  /** Pending (or about to be) with nothing to show yet. */
  get isFirst(): boolean {
    if (this.value !== undefined || this.failure !== undefined) return false
    const { needs } = this.#options
    const isAwaited = !this.#isIdle || (needs !== undefined && needs.value === undefined)
    return this.status === 'pending' || (this.status === 'initial' && isAwaited)
  }

  /** The error of the last run, or of what it needs; undefined while pending or when it went well. */
  get failure(): unknown {
    if (this.status === 'error') return this.error
    return this.status === 'initial' ? this.#options.needs?.failure : undefined
  }

  /** Why there is no value to show: the failure, unless an earlier answer to the same question is left. */
  get missing(): unknown {
    return this.value === undefined ? this.failure : undefined
  }

  /** What the banner of the page shows: the failure, until an answer arrives. */
  get fault(): unknown {
    return this.#options.quiet === true ? undefined : this.error
  }

  hostUpdate(): void {
    const next = this.#options.args()
    const before = this.#args
    this.#isIdle = next === null
    if (next === null || (before !== null && areSame(before, next))) return
    this.#args = next
    void this.#start(next)
  }

  hostDisconnected(): void {
    if (this.#running === undefined) return
    this.#stop()
    this.#args = null
    this.status = 'initial'
  }

  /** Runs again, when there is something to load. */
  async reload(): Promise<void> {
    const args = this.#options.args()
    if (args === null) return
    this.#args = args
    await this.#start(args)
  }

  /** Runs again when it has run; what is shown goes when that fails. */
  renew(): void {
    this.#answered = null
    if (this.#args !== null) void this.reload()
  }

  /** Tries again what failed. */
  async retry(): Promise<void> {
    await this.reload()
  }

  /** Replaces the value, for a change that the page has made itself. */
  set(value: T): void {
    this.value = value
    this.#host.requestUpdate()
  }

  async #start(args: Args): Promise<void> {
    const isBusyAlready = this.#running !== undefined
    this.#running?.abort()
    const running = new AbortController()
    this.#running = running
    this.status = 'pending'
    this.#host.requestUpdate()
    if (!isBusyAlready) this.#host.dispatchEvent(new BusyEvent(true))
    try {
      const value = await this.#options.run(args, running.signal)
      // What was loaded may bring texts: it is not shown in English before they are there.
      await loadTranslations(this.#host.format.locale)
      if (this.#running !== running) return
      this.value = value
      this.#answered = args
      this.error = undefined
      this.status = 'complete'
    } catch (error) {
      if (this.#running !== running) return
      // What was shown answers another question: it must not look like the answer to this one.
      if (this.#answered === null || !areSame(this.#answered, args)) this.value = undefined
      this.error = error
      this.status = 'error'
    }
    this.#stop()
    this.#host.requestUpdate()
  }

  #stop(): void {
    this.#running?.abort()
    this.#running = undefined
    this.#host.dispatchEvent(new BusyEvent(false))
  }
}

function areSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, at) => Object.is(value, b[at]))
}
