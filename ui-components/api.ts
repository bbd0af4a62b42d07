// Calls of a page to its plugin's API.
import { errorText, type RequestError } from './elements/error/message.ts'
import type { JsonInit, KeelsonPage } from './keelson-page.ts'
import { SignInEvent } from './page.ts'

/** An API. Paths are relative to the mount of the page's own plugin, `/api/records`, or to what `at` names. */
export interface Api {
  /**
   * Reads JSON.
   *
   * @throws RequestError when the answer is not 2xx.
   */
  read<T>(path: string, signal?: AbortSignal): Promise<T>
  /**
   * Changes something: sends `body` as JSON, a form or a file as it is, and reads the answer.
   *
   * @throws RequestError when the answer is not 2xx.
   */
  act<T>(method: string, path: string, body?: unknown): Promise<T>
  /** One sentence about an error, in the language of the page. */
  words(error: unknown): string
  /** Runs a change and shows a toast when it fails. False: it failed. */
  attempt(change: () => Promise<unknown>): Promise<boolean>
}

/** Which API a page calls, and how it says what went wrong. */
export interface ApiOptions {
  /** The address that paths are relative to, as manifests declare it with `at`. Default: the mount of the plugin. */
  readonly at?: string
  /** Says what an error is. Default: `errorText`. */
  words?(error: unknown): string
}

/** The calls that a page makes. */
export function apiOf(page: KeelsonPage, options: ApiOptions = {}): Api {
  const { at, words = (error: unknown): string => errorText(error, page.t) } = options
  const placed = (path: string) => (at === undefined ? path : page.page.at(`${at}${path}`))
  return {
    read: (path, signal) => page.json(placed(path), signal === undefined ? {} : { signal }),
    act: (method, path, body) => page.json(placed(path), { method, ...sent(body) }),
    words,
    async attempt(change) {
      try {
        await change()
        return true
      } catch (error) {
        const { signIn } = error as Partial<RequestError>
        if (signIn !== undefined) page.dispatchEvent(new SignInEvent())
        page.toast({
          text: words(error),
          tone: 'bad',
          ...(signIn !== undefined && {
            action: { label: page.t('error.signIn'), run: () => location.assign(signIn) }
          })
        })
        return false
      }
    }
  }
}

function sent(body: unknown): JsonInit {
  if (body === undefined) return {}
  return body instanceof FormData || body instanceof Blob ? { body } : { json: body }
}
