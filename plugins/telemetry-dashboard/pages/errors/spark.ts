// Bars of one colour, each as high as its share of the highest: how something went, in little room.
import { html, type TemplateResult } from 'lit'

export function spark(values: readonly number[]): TemplateResult {
  const most = Math.max(1, ...values)
  const bar = (value: number, at: number) =>
    value === 0 ? '' : `M${at + 0.1} 40V${40 - Math.max(3, (value / most) * 38)}h.8V40z`
  return html`<svg
    class="spark"
    part="spark"
    viewBox="0 0 ${Math.max(1, values.length)} 40"
    preserveAspectRatio="none"
    aria-hidden="true"
  ><path d=${values.map(bar).join('')}></path></svg>`
}
