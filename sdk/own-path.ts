// Addresses that lead back to this host: what a `next` parameter may say. Pure; for servers and browsers.

/** Longer ones do not fit into the headers of a request. */
const MAX_LENGTH = 16_384
/** Stands for the host; what is resolved against it is compared with it. */
const HOST = 'http://host.invalid'

/**
 * The path, query and fragment of an address of this host, as a browser reads it: safe to redirect to.
 *
 * The answer is what was checked, so no later reading of it leads elsewhere: `/x/..//evil.test` is
 * `//evil.test` to a browser, which is another host, and is refused.
 *
 * @param value - What a query or form said; anything.
 * @returns Text that begins with exactly one slash; undefined for addresses of other hosts and for all that is
 *   not a path, or has more than 16,384 characters.
 *
 * @example
 * reply.redirect(ownPath(request.query.next) ?? '/')
 */
export function ownPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_LENGTH || !value.startsWith('/'))
    return undefined
  if (!URL.canParse(value, HOST)) return undefined
  const url = new URL(value, HOST)
  if (url.origin !== HOST || url.pathname.startsWith('//')) return undefined
  return `${url.pathname}${url.search}${url.hash}`
}
