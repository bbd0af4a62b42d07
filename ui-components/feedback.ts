// Messages and questions of a page: shown by its host, or by this package when no host takes them.
import { ConfirmEvent, type ConfirmOptions, ToastEvent, type ToastOptions } from './page.ts'

let loading: Promise<typeof import('./feedback-alone.ts')> | undefined

/** Loaded once, so that messages appear in the order in which they were sent. */
function alone(): Promise<typeof import('./feedback-alone.ts')> {
  loading ??= import('./feedback-alone.ts')
  return loading
}

/** Shows a short message: in the shell, or at the edge of the window when there is no shell. */
export function toast(element: HTMLElement, options: ToastOptions): void {
  if (!element.dispatchEvent(new ToastEvent(options))) return
  void alone().then(({ showToast }) => showToast(options))
}

/** Asks a question and resolves with the answer. Escape and the close button mean no. */
export function confirm(element: HTMLElement, options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve, reject) => {
    if (!element.dispatchEvent(new ConfirmEvent(options, resolve))) return
    alone()
      .then(({ askIn }) => askIn(document.body, options))
      .then(resolve, reject)
  })
}
