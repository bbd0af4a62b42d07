// Which webhook addresses may be posted to: https on a host that the operator lists.

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** `hosts` entries are `host` or `host:port`; http is for loopback only. */
export function isAllowedWebhook(address: string, hosts: readonly string[]): boolean {
  if (!URL.canParse(address)) return false
  const url = new URL(address)
  const isSafe =
    url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.has(url.hostname))
  if (!isSafe || url.username !== '' || url.password !== '') return false
  return hosts.some((host) => {
    const listed = host.toLowerCase()
    return listed === url.hostname || listed === `${url.hostname}:${portOf(url)}`
  })
}

const portOf = (url: URL) =>
  url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
