// A link that downloads a file of the API, also from an embedded page that sends tokens.
import { html } from 'lit'
import { apiOf } from './api.ts'
import { RequestError } from './elements/error/message.ts'
import { saveBlob } from './files.ts'
import type { KeelsonPage } from './keelson-page.ts'
import { registerCatalog } from './locales/catalog.ts'
import texts from './locales/download.en.json' with { type: 'json' }

/** What a link downloads. */
export interface Download {
  /** Where the API answers the file. */
  readonly href: URL
  /** What the file is called where the answer does not say. */
  readonly name: string
  readonly label: unknown
  /** Classes beside `btn`. */
  readonly look?: string
}

/** A page keeps what it asks for in memory until it is saved. */
const MOST_BYTES = 256 * 1024 * 1024

/**
 * The browser follows the link itself and streams to the disk, except with `getToken`: a link sends no token, so the
 * page asks for the file, at most 256 MiB of it, and saves what it got.
 */
export function downloadLink(
  page: KeelsonPage,
  { href, name, label, look = '' }: Download
): unknown {
  const onClick = (event: Event) => {
    if (page.host !== undefined || page.getToken === undefined) return
    event.preventDefault()
    void apiOf(page).attempt(async () => saveBlob(name, await fileOf(page, href)))
  }
  return html`<a class="btn ${look}" download=${name} href=${href.href} @click=${onClick}>${label}</a>`
}

async function fileOf(page: KeelsonPage, href: URL): Promise<Blob> {
  const response = await page.page.fetch(href)
  if (!response.ok) {
    throw new RequestError(response.status, await response.json().catch(() => undefined))
  }
  const type = response.headers.get('content-type') ?? ''
  registerCatalog('en', texts)
  const counted = response.body?.pipeThrough(endedAt(MOST_BYTES, page.t('download.tooLarge')))
  return new Response(counted, { headers: { 'content-type': type } }).blob()
}

/** Passes bytes on; fails in these words when there are more. */
export function endedAt(most: number, words: string): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(part, controller) {
      bytes += part.byteLength
      if (bytes > most) controller.error(new Error(words))
      else controller.enqueue(part)
    }
  })
}
