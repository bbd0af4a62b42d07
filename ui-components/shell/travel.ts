// Moves of the shell through the history: each waits until the page that is shown may be left.

/** What moves ask and say. */
export interface TravelOptions {
  /** Whether the page that is shown may be left for an address. */
  mayLeave(to: URL, isByPage: boolean): true | Promise<boolean>
  /** Something is saved before the page is left, or that ended. */
  onBusy(isBusy: boolean): void
  /** The address has changed: by Back or Forward, or to a new one. `followed`: the path that Back comes from. */
  onMoved(isBack: boolean, followed?: string): void
}

/** The history of the window. Entries know their place, so that Back can be undone while the page is asked. */
export class Travel {
  readonly #options: TravelOptions
  #at = placeOf(history.state)
  /** The path that was gone to from each place. */
  readonly #followed = new Map<number, string>()
  /** The move that waits; a later one takes its place. */
  #asked: Promise<boolean> | undefined
  /** Called when the browser is where it was sent. */
  #onArrived: (() => void) | undefined

  constructor(options: TravelOptions) {
    this.#options = options
  }

  /** Goes to an address, at once where nothing is lost. */
  go(
    url: URL,
    { isReplacing, isByPage }: Readonly<Record<'isReplacing' | 'isByPage', boolean>>
  ): void {
    const may = this.#options.mayLeave(url, isByPage)
    this.#asked = may === true ? undefined : may
    if (may === true) this.#show(url, isReplacing)
    else void this.#showAfter(may, url, isReplacing)
  }

  async #showAfter(may: Promise<boolean>, url: URL, isReplacing: boolean): Promise<void> {
    const isLeft = await this.#answerOf(may)
    if (isLeft && this.#asked === may) this.#show(url, isReplacing)
  }

  /** Back and Forward have changed the address already: it is taken back until the page may be left. */
  readonly onPopState = ({ state }: PopStateEvent): void => {
    if (this.#onArrived !== undefined) {
      this.#onArrived()
      return
    }
    const at = placeOf(state)
    const may = this.#options.mayLeave(new URL(location.href), false)
    if (may !== true && at !== this.#at) {
      void this.#return(at - this.#at, may)
      return
    }
    this.#arrive(at)
  }

  #show(url: URL, isReplacing: boolean): void {
    if (!isReplacing) {
      this.#followed.set(this.#at, url.pathname)
      this.#at += 1
    }
    const state = { at: this.#at }
    if (isReplacing) history.replaceState(state, '', url)
    else history.pushState(state, '', url)
    this.#options.onMoved(false)
  }

  #arrive(at: number): void {
    const isBack = at < this.#at
    this.#at = at
    this.#options.onMoved(true, isBack ? this.#followed.get(at) : undefined)
  }

  async #return(by: number, may: Promise<boolean>): Promise<void> {
    await this.#travel(-by)
    if (!(await this.#answerOf(may))) return
    await this.#travel(by)
    this.#arrive(this.#at + by)
  }

  async #answerOf(may: Promise<boolean>): Promise<boolean> {
    this.#options.onBusy(true)
    try {
      return await may
    } finally {
      this.#options.onBusy(false)
    }
  }

  #travel(by: number): Promise<void> {
    return new Promise((resolve) => {
      this.#onArrived = () => {
        this.#onArrived = undefined
        resolve()
      }
      history.go(by)
    })
  }
}

/** The place that was written into a state of the history. */
const placeOf = (state: unknown): number => (state as { at?: number } | null)?.at ?? 0
