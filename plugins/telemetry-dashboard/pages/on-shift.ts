// A second meaning of a link: what happens when Shift is held while it is pressed.

/** Acts on a click with Shift, by pointer or key, in place of following the link. */
export const onShift =
  (act: () => void) =>
  (event: MouseEvent): void => {
    if (!event.shiftKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    act()
  }
