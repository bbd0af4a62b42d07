// The admin API of the mailer as its pages call it: JSON, pages of lists, changes by revision.
import {
  type Api,
  addedParams,
  apiOf,
  type DraftRequest,
  type KeelsonPage,
  type ListPage,
  type ListSource,
  type ParamChanges,
  RequestError
} from '@keelson/ui'
import { registerRefusals } from './refusals.ts'

/** Where the API is: of plugin.json. */
const AT = '/admin/mailer/api'

/** Calls of a page. Paths are those of the API: `/flows`. */
export interface MailApi extends Api {
  /** Reads one thing; null: there is none at this address. @throws RequestError */
  find<T>(path: string, signal?: AbortSignal): Promise<T | null>
  /** Reads a page of a list: an array, and the next cursor in a header. */
  list<Row>(path: string, signal?: AbortSignal): Promise<ListPage<Row>>
  /** Saves a draft, and answers its next revision. @throws RequestError `draft_conflict` */
  revise<T>(
    path: string,
    body: unknown,
    request: DraftRequest
  ): Promise<{ readonly body: T; readonly revision: number | undefined }>
  /** Where the platform answers the document that shows a mail with its pictures. */
  pictureFrame(): URL
  /** Changes what has a revision. @throws RequestError `draft_conflict` when it has another one by now */
  edit<T>(method: string, path: string, body: unknown, revision: number | undefined): Promise<T>
}

/** The revision of an answer; undefined without one. */
function revisionOf({ headers }: Response): number | undefined {
  const [, digits] = /"(\d+)"/.exec(headers.get('etag') ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Where the API answers a path: for `fetch`, and for links that save a file. */
export const apiAddress = ({ page }: KeelsonPage, path: string): URL => page.at(`${AT}${path}`)

/** A query of what is set. */
export const queryOf = (values: ParamChanges): string =>
  new URLSearchParams(addedParams(values)).toString()

/** Reads the pages of a list, newest first: `read` of its source. */
export const pagesOf =
  <Row>(api: MailApi, path: string): ListSource<Row>['read'] =>
  (narrowing, { cursor }, signal) =>
    api.list(`${path}?${queryOf({ limit: '50', ...narrowing, cursor })}`, signal)

/** The calls that a page makes. */
export function mailApi(page: KeelsonPage): MailApi {
  registerRefusals()
  const api = apiOf(page, { at: AT })
  return {
    ...api,
    async find<T>(path: string, signal?: AbortSignal) {
      try {
        return await api.read<T>(path, signal)
      } catch (error) {
        // 400: the address is not a valid name.
        if (error instanceof RequestError && [400, 404].includes(error.status)) return null
        throw error
      }
    },
    pictureFrame: () => page.page.at('/m/mail-frame'),
    edit: (method, path, body, revision) =>
      page.json(apiAddress(page, path), {
        method,
        json: body,
        ...(revision !== undefined && { headers: { 'if-match': `"${revision}"` } })
      }),
    async revise<T>(path: string, body: unknown, { revision, keepalive }: DraftRequest) {
      const { response, value } = await page.answer(apiAddress(page, path), {
        method: 'PATCH',
        json: body,
        keepalive,
        ...(revision !== undefined && { headers: { 'if-match': `"${revision}"` } })
      })
      return { body: value as T, revision: revisionOf(response) }
    },
    async list(path, signal) {
      const { response, value } = await page.answer(apiAddress(page, path), signal && { signal })
      if (!Array.isArray(value)) throw new RequestError(response.status, value)
      return { items: value, nextCursor: response.headers.get('x-next-cursor') }
    }
  }
}
