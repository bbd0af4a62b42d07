// Icons as inline SVG, sixteen by sixteen, drawn with the text's colour.
import { html, type TemplateResult } from 'lit'

const PATHS = {
  close: 'm4 4 8 8m0-8-8 8',
  plus: 'M8 3v10M3 8h10',
  search: 'M7 11.500a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.200L14 14',
  'chevron-left': 'm10 4-4 4 4 4',
  'chevron-right': 'm6 4 4 4-4 4',
  'arrow-up': 'M8 13V3.500M4 7l4-4 4 4',
  'arrow-down': 'M8 3v9.500M4 9l4 4 4-4',
  check: 'm3 8.5 3.5 3.500L13 5',
  copy: 'M6 6h7v7H6zM10 3H3v7',
  external: 'M9 3h4v4M13 3 7.5 8.500M11 9v4H3V5h4',
  alert: 'M8 2 1.5 13.500h13L8 2Zm0 5v3m0 1.700v.3',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-7v4m0-6.200V5',
  refresh: 'M13 8a5 5 0 1 1-1.5-3.500M13 2v3h-3',
  download: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.500h11',
  live: 'M8 9a1 1 0 1 0 0-2 1 1 0 0 0 0 2ZM4.5 4.500a5 5 0 0 0 0 7m7-7a5 5 0 0 1 0 7',
  filter: 'M2 3.500h12M4.5 8h7M7 12.500h2',
  table: 'M2 3h12v10H2zM2 6.500h12M2 10h12M6.5 6.500V13',
  chart: 'M2 2v12h12M5 11V8M8.5 11V4.500M12 11V7'
} as const

/** The name of an icon. */
export type IconName = keyof typeof PATHS

/** An icon. It is decoration: the control around it carries the words. */
export const icon = (name: IconName, size = 16): TemplateResult => drawIcon(PATHS[name], size)

/** A path of sixteen by sixteen as an icon. */
export function drawIcon(path: string, size = 16): TemplateResult {
  return html`<svg
    width=${size}
    height=${size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.5"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  ><path d=${path} /></svg>`
}
