// Which clicks on links are ours to follow.
import { ownPath } from '@keelson/sdk/own-path'

/** The path of a link that was clicked in the plain way; undefined when the browser should act. */
export function plainLink(event: MouseEvent): string | undefined {
  if (event.defaultPrevented || event.button !== 0) return undefined
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement)
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) {
    return undefined
  }
  if (link.origin !== location.origin) return undefined
  return ownPath(`${link.pathname}${link.search}${link.hash}`)
}
