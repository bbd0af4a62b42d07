// Calls of a page to an API of versioned documents: one or none, lists in pages, changes by revision.
import { type Api, apiOf } from './api.ts'
import type { ListPage } from './controllers/list-load.ts'
import { RequestError } from './elements/error/message.ts'
import type { DraftRequest } from './form/draft.ts'
import type { KeelsonPage } from './keelson-page.ts'
import type { ListSource } from './list/list.ts'
import { addedParams } from './param-changes.ts'

/** An API whose documents have a revision, in `ETag` and `If-Match`. Paths are relative to its address. */
export interface DocumentsApi extends Api {
  /** Reads one document; null: the address has none, or is not a valid name. @throws RequestError */
  find<T>(path: string, signal?: AbortSignal): Promise<T | null>
  /** Reads a page of a list: an array, and the next cursor in `X-Next-Cursor`. @throws RequestError */
  list<Row>(path: string, signal?: AbortSignal): Promise<ListPage<Row>>
  /** Reads the pages of a list, 50 rows each: `read` of its source. */
  pages<Row>(path: string): ListSource<Row>['read']
  /** Saves a draft, and answers its next revision. @throws RequestError `draft_conflict` */
  revise<T>(
    path: string,
    body: unknown,
    request: DraftRequest
  ): Promise<{ readonly body: T; readonly revision: number | undefined }>
  /** Changes what has a revision. @throws RequestError `draft_conflict` when it has another one by now */
  edit<T>(method: string, path: string, body: unknown, revision: number | undefined): Promise<T>
}

/** The revision of an answer; undefined without one. */
function revisionOf({ headers }: Response): number | undefined {
  const [, digits] = /"(\d+)"/.exec(headers.get('etag') ?? '') ?? []
  return digits === undefined ? undefined : Number(digits)
}

const matching = (revision: number | undefined) =>
  revision === undefined ? {} : { headers: { 'if-match': `"${revision}"` } }

/** The calls that a page makes to the API at `at`, as manifests declare addresses. */
export function documentsApiOf(page: KeelsonPage, at: string): DocumentsApi {
  const api = apiOf(page, { at })
  const placed = (path: string) => page.page.at(`${at}${path}`)
  const list = async <Row>(path: string, signal?: AbortSignal): Promise<ListPage<Row>> => {
    const { response, value } = await page.answer(placed(path), signal && { signal })
    if (!Array.isArray(value)) throw new RequestError(response.status, value)
    return { items: value, nextCursor: response.headers.get('x-next-cursor') }
  }
  return {
    ...api,
    async find<T>(path: string, signal?: AbortSignal) {
      try {
        return await api.read<T>(path, signal)
      } catch (error) {
        if (error instanceof RequestError && [400, 404].includes(error.status)) return null
        throw error
      }
    },
    list,
    pages:
      (path) =>
      (narrowing, { cursor }, signal) => {
        const query = new URLSearchParams(addedParams({ limit: '50', ...narrowing, cursor }))
        return list(`${path}?${query}`, signal)
      },
    edit: (method, path, body, revision) =>
      page.json(placed(path), { method, json: body, ...matching(revision) }),
    async revise<T>(path: string, body: unknown, { revision, keepalive }: DraftRequest) {
      const { response, value } = await page.answer(placed(path), {
        method: 'PATCH',
        json: body,
        keepalive,
        ...matching(revision)
      })
      return { body: value as T, revision: revisionOf(response) }
    }
  }
}
