// Calls of a page to its plugin's API.
import { errorText, type RequestError } from './elements/error/message.ts'
import type { KeelsonPage } from './keelson-page.ts'
import { SignInEvent } from './page.ts'

/** The API of the page's own plugin. Paths are relative to the plugin's mount: `/api/records`. */
export interface Api {
  /**
   * Reads JSON.
   *
   * @throws RequestError when the answer is not 2xx.
   */
  read<T>(path: string, signal?: AbortSignal): Promise<T>
  /**
   * Changes something: sends `body` as JSON and reads the answer.
   *
   * @throws RequestError when the answer is not 2xx.
   */
  act<T>(method: string, path: string, body?: unknown): Promise<T>
  /** One sentence about an error, in the language of the page. */
  words(error: unknown): string
  /** Runs a change and shows a toast when it fails. False: it failed. */
  attempt(change: () => Promise<unknown>): Promise<boolean>
}

/** The calls that a page makes. `words` says what an error is. Default: `errorText`. */
export function apiOf(
  page: KeelsonPage,
  words = (error: unknown): string => errorText(error, page.t)
): Api {
  return {
    read: (path, signal) => page.json(path, signal === undefined ? {} : { signal }),
    act: (method, path, body) =>
      page.json(path, { method, ...(body !== undefined && { json: body }) }),
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
