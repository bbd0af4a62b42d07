// The authorization response: parameters with state and iss, put on the callback's address or into a form. Pure.
import type { ReturnAddress } from './read-request.ts'

export type ResponseParameters = Readonly<Record<string, string>>

/** Adds what every response carries: `state` as it came and one `iss`. */
export function responseOf(
  fields: ResponseParameters,
  to: ReturnAddress,
  issuer: string
): ResponseParameters {
  return { ...fields, ...(to.state !== undefined && { state: to.state }), iss: issuer }
}

/** The callback with the parameters in its query; what is there already stays as it is. */
export function redirectTo(uri: string, parameters: ResponseParameters): string {
  const query = new URLSearchParams(parameters).toString()
  const separator = uri.includes('?') ? (uri.endsWith('?') || uri.endsWith('&') ? '' : '&') : '?'
  return `${uri}${separator}${query}`
}
