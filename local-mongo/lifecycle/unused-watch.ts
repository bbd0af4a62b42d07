// Ends a shared engine a few seconds after its last host has gone, whichever host started it.
import type { Client, SharedHosts } from '../commands/command.ts'
import type { Server } from '../server/server.ts'

/** How long a shared engine waits for its first client, and for the next when the last has gone. */
const FIRST_CLIENT_MS = 15_000
const LINGER_MS = 3_000
/** A host that let go in order is not expected back. */
const RELEASED_MS = 50
/** Connections that a host has closed before it lets go are gone in this time. */
const GOODBYE_MS = 500

type Host = Pick<Client, 'isGone'>

/** Counts connections and the hosts among them. */
export class UnusedWatch implements SharedHosts {
  #lingerMs = LINGER_MS
  #connections = 0
  readonly #holding = new Set<Host>()
  /** Hosts that let go and are still connected. */
  readonly #leaving = new Set<Host>()
  readonly #waiting = new Set<() => void>()
  #check: () => void = () => {}

  hold(host: Host): void {
    this.#holding.add(host)
  }

  async release(host: Host): Promise<number> {
    this.#lingerMs = RELEASED_MS
    this.#holding.delete(host)
    this.#leaving.add(host)
    this.#check()
    const until = Date.now() + GOODBYE_MS
    while (!this.#isHeld() && this.#others() > 0 && Date.now() < until) {
      await this.#change(until - Date.now())
    }
    const others = this.#others()
    if (others > 0) this.#leaving.delete(host)
    return others
  }

  /** While another host uses the engine, the connections that are left need not be waited for. */
  #isHeld(): boolean {
    dropGone(this.#holding)
    return this.#holding.size > 0
  }

  #others(): number {
    dropGone(this.#leaving)
    return this.#connections - this.#leaving.size
  }

  /** Resolves when a connection has come or gone, or after a time. */
  #change(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, milliseconds)
      this.#waiting.add(wake)
    })
  }

  watch(server: Pick<Server, 'onConnectionsChanged'>, close: () => Promise<void>): void {
    let timer = setTimeout(close, FIRST_CLIENT_MS)
    this.#check = () => {
      clearTimeout(timer)
      if (this.#others() <= 0) timer = setTimeout(close, this.#lingerMs)
    }
    server.onConnectionsChanged((connections) => {
      if (connections > this.#connections) this.#lingerMs = LINGER_MS
      this.#connections = connections
      this.#check()
      for (const wake of [...this.#waiting]) wake()
    })
  }
}

function dropGone(hosts: Set<Host>): void {
  for (const host of hosts) if (host.isGone) hosts.delete(host)
}
