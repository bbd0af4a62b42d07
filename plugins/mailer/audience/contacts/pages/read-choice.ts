// What a recipient chose on the preference page. Pure.

/** A choice that the page offers. */
export type Choice =
  | { readonly kind: 'save'; readonly categories: readonly string[] }
  | { readonly kind: 'unsubscribe-all' }
  | { readonly kind: 'pause'; readonly days: number }
  | { readonly kind: 'resume' }

/** What is offered. */
export interface Offer {
  /** Ids of the configured categories. */
  readonly categories: readonly string[]
  readonly pauseDays: readonly number[]
}

/** Undefined for anything that the page does not offer. */
export function readChoice(
  form: URLSearchParams,
  { categories, pauseDays }: Offer
): Choice | undefined {
  const pause = form.get('pause')
  if (pause !== null) {
    const days = pauseDays.find((offered) => String(offered) === pause)
    return days === undefined ? undefined : { kind: 'pause', days }
  }
  switch (form.get('action')) {
    case 'save': {
      const chosen = [...new Set(form.getAll('category'))]
      const isOffered = categories.length > 0 && chosen.every((id) => categories.includes(id))
      return isOffered ? { kind: 'save', categories: chosen } : undefined
    }
    case 'unsubscribe-all':
      return { kind: 'unsubscribe-all' }
    case 'resume':
      return { kind: 'resume' }
    default:
      return undefined
  }
}
