// Which kind of answer a client prefers, by its Accept header. Pure.

/** Whether HTML is asked for by name and before JSON: a person at a browser. */
export function prefersHtml(accept: string | undefined): boolean {
  const html = quality(accept, 'text/html')
  return html > 0 && html >= quality(accept, 'application/json')
}

/** Whether JSON is asked for by name and before HTML: a program. */
export function prefersJson(accept: string | undefined): boolean {
  const json = quality(accept, 'application/json')
  return json > 0 && json > quality(accept, 'text/html')
}

/** The weight of a type that is named; 0 when it is not. Wildcards name nothing. */
function quality(accept: string | undefined, type: string): number {
  for (const entry of (accept ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    if (name !== type) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2))
    return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0
  }
  return 0
}
