// The curl command of an operation, to be copied into a shell. Pure.
import type { ApiOperation } from './api-operations.ts'

/** Text as one argument of a POSIX shell, whatever it holds. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const READS = new Set(['get', 'head', 'options'])

/** The whole command. Path and required query parameters are `{name}`; credentials are words in capitals. */
export function curlExample(operation: ApiOperation, origin: string): string {
  const { method, path, parameters, body, credentials } = operation
  const needed = (place: string) =>
    parameters.filter((one) => one.place === place && one.isRequired).map(({ name }) => name)
  const query = needed('query').map((name) => `${encodeURIComponent(name)}={${name}}`)
  const headers = needed('header').map((name) => `${name}: {${name}}`)
  if (credentials === 'bearer') headers.push('authorization: Bearer TOKEN')
  // The plugin that signs people in names its cookie itself.
  if (credentials === 'cookie') headers.push('cookie: SESSION_COOKIE')
  // A session changes something only with the origin of its page.
  if (credentials === 'cookie' && !READS.has(method)) headers.push(`origin: ${origin}`)
  if (body !== undefined) headers.push(`content-type: ${body.type}`)
  const address = `${origin}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
  return [
    `curl ${shellQuoted(address)}`,
    ...methodOptions(method),
    ...headers.map((header) => `-H ${shellQuoted(header)}`),
    ...(body === undefined ? [] : [`-d ${shellQuoted(body.text)}`])
  ].join(' \\\n  ')
}

function methodOptions(method: string): readonly string[] {
  if (method === 'get') return []
  return method === 'head' ? ['--head'] : [`-X ${method.toUpperCase()}`]
}
