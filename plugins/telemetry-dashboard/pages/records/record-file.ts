// All records that fit, as the server's file: loaded when the first one is asked for.
import { type Api, type KeelsonPage, RequestError, type Span } from '@keelson/ui'
import { path } from '../requests.ts'

/** What narrows the records, when, and the kind of file. */
export type RecordFileArgs = [params: URLSearchParams, span: Span, format: 'csv' | 'json']

/** Undefined when it failed, which the page has said. */
export async function recordFile(
  { page: { page }, api }: { readonly page: KeelsonPage; readonly api: Api },
  ...[params, span, format]: RecordFileArgs
): Promise<Blob | undefined> {
  let file: Blob | undefined
  await api.attempt(async () => {
    const response = await page.fetch(path('records/export', params, span, { format }))
    if (response.ok) {
      file = await response.blob()
      return
    }
    const refused = new RequestError(response.status, await response.json().catch(() => undefined))
    if (response.status === 401) refused.signIn = page.signIn
    throw refused
  })
  return file
}
