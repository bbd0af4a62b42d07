// What the dialog of views lists.

/** One state that can be opened. */
export interface ViewItem {
  /** Present when it can be changed. */
  readonly id?: string
  readonly name: string
  readonly href: string
  /** In the second voice beside the name: its page, its owner. */
  readonly note: string
  readonly shared?: boolean
  /** Whether it could be private again: it has an owner. */
  readonly isOwned?: boolean
  /** Whether what is shown could be saved over it. */
  readonly isHere?: boolean
}

/** A folded list of views that cannot be changed. */
export interface ViewGroup {
  readonly heading: string
  readonly views: readonly ViewItem[]
  readonly open?: boolean
}
