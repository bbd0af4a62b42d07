// Where to go after signing in: only ever a path of this host. Pure.

/** The `next` of an address when it is a path of this origin, else the start page. */
export function nextAddress(search: string, origin: string, home = '/'): string {
  const next = new URLSearchParams(search).get('next')
  if (next === null || !/^\/(?![/\\])/.test(next)) return home
  try {
    const url = new URL(next, origin)
    return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : home
  } catch {
    return home
  }
}
