// What a page holds that is not saved, and whether the page may be left.

/** A draft or a form of a page. */
export interface Unsaved {
  /** Whether something would be lost at another address. `isByPage`: the page itself goes there. */
  isLostAt(to: URL, isByPage: boolean): boolean
  /** Saves it, or asks. False: the viewer stays. */
  settle(): Promise<boolean>
}

const holders = new WeakMap<object, Set<Unsaved>>()

/** Makes a page ask before it is left. Returns what ends that. */
export function holdPage(page: object, unsaved: Unsaved): () => void {
  const held = holders.get(page) ?? new Set()
  holders.set(page, held.add(unsaved))
  return () => held.delete(unsaved)
}

/** Whether a page may be left for an address: at once, or once everything is saved or given up. */
export function mayLeave(page: object, to: URL, isByPage: boolean): true | Promise<boolean> {
  const lost = [...(holders.get(page) ?? [])].filter((one) => one.isLostAt(to, isByPage))
  return lost.length === 0 || settleAll(lost)
}

/** One question at a time. */
async function settleAll(lost: readonly Unsaved[]): Promise<boolean> {
  for (const one of lost) if (!(await one.settle())) return false
  return true
}
