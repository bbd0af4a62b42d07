// KEELSON_TRUST_PROXY: whose forwarded headers count. Pure.

/**
 * Fastify's `trustProxy`: empty for none, a number of proxies in front, or a list of their addresses and
 * subnets, separated by commas.
 */
export function trustProxyOf(
  value = ''
): boolean | string[] | ((address: string, hop: number) => boolean) {
  const text = value.trim()
  if (text === '' || text === 'false') return false
  if (text === 'true') return true
  if (/^[0-9]{1,2}$/.test(text)) return (_address, hop) => hop < Number(text)
  return text.split(',').map((part) => part.trim())
}
