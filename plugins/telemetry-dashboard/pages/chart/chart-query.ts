// What the page of one chart asks the API for: what its address says, but for how the page shows it. Pure.

/** Parameters of the page itself: the range, buckets, the table view, the language. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([
  'range',
  'from',
  'to',
  'interval',
  'timeZone',
  'chart',
  'ui_locales'
])

/** The other parameters go to the API as they are, because a token of one chart opens exactly those. */
export function chartQuery(params: URLSearchParams): string {
  return new URLSearchParams([...params].filter(([name]) => !OF_THE_PAGE.has(name))).toString()
}
