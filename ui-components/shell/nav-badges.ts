// Numbers beside entries of the navigation, such as the alerts that fire: they come with it, and are asked again each minute.
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import { apiBaseOf, type Nav, type NavPage, pagesOf } from './nav.ts'

/** Milliseconds between two reads, and the least between those that a change of page causes. */
const EVERY = 60_000
const LEAST = 10_000

/** The largest number that is shown as it is. */
const MOST = 99

/** Reads the numbers while the window is visible. One that cannot be read is not shown. */
export class NavBadges implements ReactiveController {
  readonly #host: ReactiveControllerHost & { readonly nav: Nav | undefined }
  readonly #counts = new Map<string, number>()
  #timer: ReturnType<typeof setInterval> | undefined
  #readAt = 0

  constructor(host: ReactiveControllerHost & { readonly nav: Nav | undefined }) {
    this.#host = host
    host.addController(this)
  }

  hostConnected(): void {
    document.addEventListener('visibilitychange', this.#onVisible)
    this.#timer = setInterval(() => this.#read(), EVERY)
    this.take()
  }

  hostDisconnected(): void {
    document.removeEventListener('visibilitychange', this.#onVisible)
    clearInterval(this.#timer)
  }

  /** Shows the numbers that came with the navigation, and asks for those that did not. */
  take(): void {
    const { nav } = this.#host
    if (nav === undefined) return
    const badges = pagesOf(nav).filter(({ badge }) => badge !== undefined)
    for (const page of badges) if (page.count !== undefined) this.#set(page, page.count)
    this.#read(badges.filter(({ count }) => count === undefined))
  }

  /** The number of a page as it is shown; empty for none. */
  textOf({ plugin, id }: NavPage): string {
    const count = this.#counts.get(`${plugin}/${id}`) ?? 0
    if (count <= 0) return ''
    return count > MOST ? `${MOST}+` : String(count)
  }

  /** Reads again, unless it was only just done. */
  refresh(): void {
    if (Date.now() - this.#readAt >= LEAST) this.#read()
  }

  readonly #onVisible = (): void => this.refresh()

  #read(pages = this.#host.nav === undefined ? [] : pagesOf(this.#host.nav)): void {
    if (document.visibilityState === 'hidden') return
    this.#readAt = Date.now()
    for (const page of pages) if (page.badge !== undefined) void this.#readOne(page)
  }

  async #readOne(page: NavPage): Promise<void> {
    const count = await countAt(`${apiBaseOf(page)}${page.badge}`).catch(() => 0)
    this.#set(page, count)
  }

  #set({ plugin, id }: NavPage, count: number): void {
    this.#counts.set(`${plugin}/${id}`, count)
    this.#host.requestUpdate()
  }
}

async function countAt(address: string): Promise<number> {
  const response = await fetch(address, {
    credentials: 'include',
    headers: { accept: 'application/json' }
  })
  if (!response.ok) return 0
  const { count } = (await response.json()) as { readonly count?: unknown }
  return typeof count === 'number' ? count : 0
}
