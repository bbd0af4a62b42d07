// A card is dragged to another place with the mouse, a pen or a finger; Alt with the arrows does the same.

/** How far the pointer goes before it drags, and how near to a place it drops, in pixels. */
const START = 6
const NEAR = 140

/** What is dragged, and where it may go. */
export interface Dragging {
  /** What matches is a card, with its path in `data-path`. */
  readonly card: string
  /** The part of a card that a finger drags by; elsewhere it scrolls. */
  readonly grip: string
  /** Whether the card at a path may be dropped in a place. Default: in each. */
  allows?(from: string, place: string): boolean
  move(from: string, place: string): void
}

/** How far a pointer is from a stretch of an axis. */
const away = (at: number, from: number, to: number): number => Math.max(from - at, 0, at - to)

/** The place of `data-place` nearest to the pointer that is not inside the card. */
function placeNear(
  canvas: HTMLElement,
  { from, allows = () => true }: { readonly from: string; readonly allows?: Dragging['allows'] },
  { clientX, clientY }: PointerEvent
) {
  const places = [...canvas.querySelectorAll<HTMLElement>('[data-place]')]
    .filter(({ dataset: { place = '' } }) => {
      return !`${place}.`.startsWith(`${from}.`) && allows(from, place)
    })
    .map((place) => {
      const { left, right, top, bottom } = place.getBoundingClientRect()
      const far = Math.hypot(away(clientX, left, right), away(clientY, top, bottom))
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

/** `pointerdown` on the canvas. The place that a card would drop in has the class `drop`. */
export function dragCard(event: PointerEvent, dragging: Dragging): void {
  const canvas = event.currentTarget as HTMLElement
  const target = event.target as HTMLElement
  const card = target.closest<HTMLElement>(dragging.card)
  const from = card?.dataset['path']
  const isGrip = event.pointerType !== 'touch' || target.closest(dragging.grip) !== null
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
    mark(placeNear(canvas, { from, allows: dragging.allows }, moved))
  }
  const onUp = () => {
    const to = place?.dataset['place']
    end()
    if (isDragging) swallowClick()
    if (to !== undefined) dragging.move(from, to)
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
