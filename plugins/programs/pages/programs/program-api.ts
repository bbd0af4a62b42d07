// The API of programs as the page calls it: JSON, and pages of lists.
import {
  type Api,
  addedParams,
  apiOf,
  type DraftRequest,
  type KeelsonPage,
  type ListSource,
  type Messages,
  RequestError,
  registerCatalog
} from '@keelson/ui'
import type { ProgramAnswer } from './answers.ts'

const AT = '/admin/mailer/api'
/** English is what the API itself says. */
const english: Messages = {}

/** Calls of the page. Paths are those of the API: `/programs`. */
export interface ProgramApi extends Api {
  /** Reads one thing; null: there is none at this address. @throws RequestError */
  find<T>(path: string, signal?: AbortSignal): Promise<T | null>
  /** Reads the pages of a list, newest first: `read` of its source. */
  pages<Row>(path: string): ListSource<Row>['read']
  /** Saves a draft for the revision that it was made on. @throws RequestError `draft_conflict` */
  saveDraft(path: string, draft: unknown, request: DraftRequest): Promise<ProgramAnswer>
}

/** The calls that the page makes. */
export function programApi(page: KeelsonPage): ProgramApi {
  registerCatalog('en', english, {
    de: () => import('./refusals.de.json', { with: { type: 'json' } })
  })
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
    saveDraft: (path, draft, { revision, keepalive }) =>
      page.json(page.page.at(`${AT}${path}`), {
        method: 'PATCH',
        json: { draft },
        keepalive,
        ...(revision !== undefined && { headers: { 'if-match': `"${revision}"` } })
      }),
    pages:
      (path) =>
      async (narrowing, { cursor }, signal) => {
        const query = new URLSearchParams(addedParams({ limit: '50', ...narrowing, cursor }))
        const { response, value } = await page.answer(page.page.at(`${AT}${path}?${query}`), {
          ...(signal !== undefined && { signal })
        })
        if (!Array.isArray(value)) throw new RequestError(response.status, value)
        return { items: value, nextCursor: response.headers.get('x-next-cursor') }
      }
  }
}
