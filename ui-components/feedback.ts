// Messages and questions: by whoever shows the page, or on its own when nobody does.
import { define } from './define.ts'
import { KeelsonConfirm } from './elements/dialog/confirm.ts'
import { KeelsonToasts } from './elements/toasts/element.ts'
import { ConfirmEvent, type ConfirmOptions, ToastEvent, type ToastOptions } from './page.ts'

/** Shows a short message: in the shell, or at the edge of the window when there is no shell. */
export function toast(element: HTMLElement, options: ToastOptions): void {
  if (!element.dispatchEvent(new ToastEvent(options))) return
  define(KeelsonToasts)
  const known = document.querySelector<KeelsonToasts>('body > keelson-toasts')
  const toasts = known ?? (document.createElement(KeelsonToasts.tag) as KeelsonToasts)
  if (known === null) document.body.append(toasts)
  toasts.show(options)
}

/** Asks a question and resolves with the answer. Escape and the close button mean no. */
export function confirm(element: HTMLElement, options: ConfirmOptions): Promise<boolean> {
  return new Promise((resolve) => {
    const isUnheard = element.dispatchEvent(new ConfirmEvent(options, resolve))
    if (isUnheard) void askIn(document.body, options).then(resolve)
  })
}

/** Asks in a dialog below `layer`, and takes it away with the answer. */
export function askIn(layer: ParentNode, options: ConfirmOptions): Promise<boolean> {
  define(KeelsonConfirm)
  const question = document.createElement(KeelsonConfirm.tag) as KeelsonConfirm
  question.options = options
  layer.append(question)
  return new Promise((resolve) => {
    const onAnswer = (event: Event) => {
      question.remove()
      resolve((event as CustomEvent<{ isConfirmed: boolean }>).detail.isConfirmed)
    }
    question.addEventListener('keelson-answer', onAnswer, { once: true })
  })
}
