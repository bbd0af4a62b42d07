// The ID behind the address of a list, as in `/telemetry/traces/4bf9`: what that list leads on to.

/** Undefined when nothing comes after the page's own path. */
export function subId(sub: string): string | undefined {
  const id = sub.replace(/^\/+|\/+$/g, '')
  if (id === '') return undefined
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}
