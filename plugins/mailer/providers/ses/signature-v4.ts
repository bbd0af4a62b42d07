// AWS Signature Version 4: which headers a request must have to be ours.
import { createHmac, hash } from 'node:crypto'

/** Keys of an AWS identity. */
export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /** Of temporary credentials. */
  readonly sessionToken?: string
}

/** A request to be signed. */
export interface RequestToSign {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Whose request it is, where it goes, and when. */
export interface Signing {
  readonly credentials: AwsCredentials
  readonly region: string
  readonly service: string
  readonly now: Date
}

const sha256 = (text: string) => hash('sha256', text)
const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** The headers of the request with those of the signature; `host` is added by the HTTP client. */
export function signedHeaders(request: RequestToSign, signing: Signing): Record<string, string> {
  const { credentials, region, service, now } = signing
  const time = `${now.toISOString().replace(/[-:]|\.\d+/g, '')}`
  const scope = `${time.slice(0, 8)}/${region}/${service}/aws4_request`
  const { sessionToken } = credentials
  const headers: Record<string, string> = {
    ...request.headers,
    'x-amz-date': time,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken })
  }
  const all = Object.entries({ ...headers, host: request.url.host }).sort(([a], [b]) =>
    a < b ? -1 : 1
  )
  const names = all.map(([name]) => name).join(';')
  const canonical = [
    request.method,
    request.url.pathname,
    '',
    ...all.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    names,
    sha256(request.body)
  ].join('\n')
  const toSign = ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')
  const key = scope.split('/').reduce<string | Buffer>(mac, `AWS4${credentials.secretAccessKey}`)
  const signature = mac(key, toSign).toString('hex')
  const credential = `Credential=${credentials.accessKeyId}/${scope}`
  const authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`
  return { ...headers, authorization }
}
