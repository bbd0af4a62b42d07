// A step is dragged to another place with the mouse, a pen or a finger; Alt with the arrows does the same.

/** How far the pointer goes before it drags, and how near to a place it drops, in pixels. */
const START = 6
const NEAR = 140

/** The place nearest to the pointer that is not inside the step. */
function placeNear(canvas: HTMLElement, from: string, { clientX, clientY }: PointerEvent) {
  const places = [...canvas.querySelectorAll<HTMLElement>('[data-place]')]
    .filter(({ dataset }) => !`${dataset['place']}.`.startsWith(`${from}.`))
    .map((place) => {
      const { left, right, top, bottom } = place.getBoundingClientRect()
      const far = Math.hypot((left + right) / 2 - clientX, (top + bottom) / 2 - clientY)
      return { place, far }
    })
    .sort((a, b) => a.far - b.far)
  return places.find(({ far }) => far <= NEAR)?.place
}

/** The click that ends a drag opens nothing. */
function swallowClick(): void {
  const ends = new AbortController()
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true, signal: ends.signal })
  requestAnimationFrame(() => requestAnimationFrame(() => ends.abort()))
}

/** `pointerdown` on the canvas. A finger drags by the sign of a card; elsewhere it scrolls. */
export function dragStep(event: PointerEvent, move: (from: string, to: string) => void): void {
  const canvas = event.currentTarget as HTMLElement
  const target = event.target as HTMLElement
  const card = target.closest<HTMLElement>('.step[data-path]')
  const from = card?.dataset['path']
  const isGrip = event.pointerType !== 'touch' || target.closest('.glyph') !== null
  if (card === null || from === undefined || event.button !== 0 || !isGrip) return
  const ends = new AbortController()
  const { signal } = ends
  let isDragging = false
  let place: HTMLElement | undefined
  const mark = (next: HTMLElement | undefined) => {
    place?.classList.remove('drop')
    next?.classList.add('drop')
    place = next
  }
  const end = () => {
    ends.abort()
    canvas.classList.remove('dragging')
    card.classList.remove('dragged')
    mark(undefined)
  }
  const onMove = (moved: PointerEvent) => {
    const { clientX, clientY } = moved
    isDragging ||= Math.hypot(clientX - event.clientX, clientY - event.clientY) >= START
    if (!isDragging) return
    canvas.classList.add('dragging')
    card.classList.add('dragged')
    mark(placeNear(canvas, from, moved))
  }
  const onUp = () => {
    const to = place?.dataset['place']
    end()
    if (isDragging) swallowClick()
    if (to !== undefined) move(from, to)
  }
  const onKey = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape' || !isDragging) return
    pressed.stopPropagation()
    end()
    swallowClick()
  }
  addEventListener('pointermove', onMove, { signal })
  addEventListener('pointerup', onUp, { signal })
  addEventListener('pointercancel', end, { signal })
  addEventListener('keydown', onKey, { signal, capture: true })
}
