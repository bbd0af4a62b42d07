// The elements that show messages and questions. A separate file: embedded pages load it when needed.
import { define } from './define.ts'
import { KeelsonConfirm } from './elements/dialog/confirm.ts'
import { KeelsonToasts } from './elements/toasts/element.ts'
import type { ConfirmOptions, ToastOptions } from './page.ts'

/** Shows a message at the edge of the window. */
export function showToast(options: ToastOptions): void {
  define(KeelsonToasts)
  const known = document.querySelector<KeelsonToasts>('body > keelson-toasts')
  const toasts = known ?? (document.createElement(KeelsonToasts.tag) as KeelsonToasts)
  if (known === null) document.body.append(toasts)
  toasts.show(options)
}

/** Asks in a dialog below `layer`, and removes it with the answer. */
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
