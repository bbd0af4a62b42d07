// Binds the value of a field without rewriting what is being typed: `a,b` stays, though it is read as `a, b`.
import { ref } from 'lit/directives/ref.js'

/** For a field in place of `.value`. `isRead` says whether what the focused field shows means the same as the text. */
export const keepTyped = (
  text: string,
  isRead: (typed: string) => boolean
): ReturnType<typeof ref> =>
  ref((element) => {
    if (element === undefined) return
    const field = element as HTMLInputElement
    const isFocused = (field.getRootNode() as ShadowRoot | Document).activeElement === field
    if (!isFocused || !isRead(field.value)) field.value = text
  })
