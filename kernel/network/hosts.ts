// Declared hosts against addresses: exact names, no wildcards, no suffixes.

/** A declared host; without a port it means every port. */
export interface HostRule {
  readonly hostname: string
  readonly port: string | undefined
}

/** Reads `host`, `host:port` and `[v6]:port` into the form that `URL` gives to addresses. */
export function parseHosts(declared: readonly string[]): HostRule[] {
  return declared.map((entry) => {
    const [, name = entry, port] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? []
    return { hostname: new URL(`http://${name}`).hostname, port }
  })
}

/** Whether an http or https address is on a declared host. */
export function isAllowed(rules: readonly HostRule[], url: URL): boolean {
  const port = url.port !== '' ? url.port : url.protocol === 'https:' ? '443' : '80'
  return rules.some(
    (rule) => rule.hostname === url.hostname && (rule.port === undefined || rule.port === port)
  )
}
