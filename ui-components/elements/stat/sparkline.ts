// The path of a sparkline: pure.

/** An SVG path through the points, scaled into a box; empty for fewer than two points. */
export function sparkline(points: readonly number[], width: number, height: number): string {
  if (points.length < 2) return ''
  const low = Math.min(...points)
  const span = Math.max(...points) - low
  const step = width / (points.length - 1)
  const place = (value: number) =>
    span === 0 ? height / 2 : height - ((value - low) / span) * height
  const pairs = points.map((value, at) => `${round(at * step)} ${round(place(value))}`)
  return `M${pairs.join('L')}`
}

const round = (value: number) => Math.round(value * 10) / 10
