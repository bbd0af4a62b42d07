// Counts which issues become which, tenant by tenant. Pure.

/** What regrouping did, or would do. */
export interface RegroupCounts {
  /** Error records that were looked at. */
  readonly records: number
  /** Records that belong to another issue now. */
  readonly moved: number
  readonly issuesBefore: number
  readonly issuesAfter: number
  /** Former issues that became one with others. */
  readonly merged: number
  /** Former issues that became several. */
  readonly split: number
}

export class IssueTally {
  #records = 0
  #moved = 0
  readonly #total = { issuesBefore: 0, issuesAfter: 0, merged: 0, split: 0 }
  /** Of the tenant in hand: former issue to what its records belong to now. */
  #became = new Map<string, Set<string>>()

  see(before: string, after: string): void {
    this.#records++
    if (before !== after) this.#moved++
    const known = this.#became.get(before)
    if (known === undefined) this.#became.set(before, new Set([after]))
    else known.add(after)
  }

  /** Issues of another tenant are others, even with the same fingerprint. */
  endTenant(): void {
    const sources = new Map<string, number>()
    for (const after of this.#became.values()) {
      for (const one of after) sources.set(one, (sources.get(one) ?? 0) + 1)
    }
    const all = [...this.#became.values()]
    this.#total.issuesBefore += all.length
    this.#total.issuesAfter += sources.size
    this.#total.split += all.filter(({ size }) => size > 1).length
    this.#total.merged += all.filter((after) =>
      [...after].some((one) => (sources.get(one) ?? 0) > 1)
    ).length
    this.#became = new Map()
  }

  get counts(): RegroupCounts {
    return { records: this.#records, moved: this.#moved, ...this.#total }
  }
}
