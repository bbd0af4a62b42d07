// Icons of entries of the navigation, by the names that manifests use. A separate file: the shell starts without it.
import type { TemplateResult } from 'lit'
import { drawIcon } from '../icons.ts'

const PATHS: Readonly<Record<string, string>> = {
  app: 'M2.5 3h11v10h-11zM2.5 6h11',
  assistant: 'M2.5 3h11v8H8l-3.5 2.5V11h-2zM6 7h.01M10 7h.01',
  alert: 'M8 2.5 1.5 13.5h13L8 2.5Zm0 4.5v3m0 1.5v.2',
  bell: 'M4 11V7a4 4 0 0 1 8 0v4l1 1H3l1-1Zm3 3h2',
  block: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM3.8 3.8l8.4 8.4',
  chart: 'M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6',
  check: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM5.5 8l2 2 3-4',
  coins:
    'M6 9a4 2 0 1 0 0-4 4 2 0 0 0 0 4ZM2 7v3a4 2 0 0 0 8 0V7m0 1a4 2 0 0 0 4-2 4 2 0 0 0-6-1.7M14 6v3a4 2 0 0 1-4 2',
  document: 'M4 2h5l3 3v9H4zM9 2v3h3M6 8.5h4M6 11h4',
  filter: 'M2 3h12L9.5 8.5V13l-3-1.5v-3Z',
  flow: 'M2.5 2.5h4v3h-4zM9.5 10.5h4v3h-4zM4.5 5.5V12h5',
  gauge: 'M2.8 12a6 6 0 1 1 10.4 0M8 9.5 10.5 6',
  gear: 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm0-8v2m0 8v2M2 8h2m8 0h2M3.8 3.8l1.4 1.4m5.6 5.6 1.4 1.4m0-8.4-1.4 1.4m-5.6 5.6-1.4 1.4',
  grid: 'M2.5 2.5h4.5V7H2.5zM9 2.5h4.5V7H9zM2.5 9h4.5v4.5H2.5zM9 9h4.5v4.5H9z',
  key: 'M5 14a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm2-5 6-6M10.5 5.5l2 2',
  layers: 'm8 2.5 6 3-6 3-6-3 6-3ZM2 8.5l6 3 6-3M2 11l6 3 6-3',
  link: 'M6.5 9.5l3-3M7 5l1.5-1.5a2.8 2.8 0 0 1 4 4L11 9M9 11l-1.5 1.5a2.8 2.8 0 0 1-4-4L5 7',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
  mail: 'M2 3.5h12v9H2zM2 4.5 8 9l6-4.5',
  megaphone: 'M2.5 6.5v3l8 3.5V3l-8 3.5ZM4.5 10.5v3h2v-2M13 6.5v3',
  people:
    'M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5a4.5 4.5 0 0 1 9 0M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.7a4.5 4.5 0 0 1 2.5 3.8',
  plug: 'M5.5 2v3.5m5-3.5v3.5M3.5 5.5h9V8a4.5 4.5 0 0 1-9 0zM8 12.5V14',
  pulse: 'M1.5 8.5h3l2-5.5 3 10 2-4.5h3',
  route:
    'M4 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm8-8a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm-6 6h4a2 2 0 0 0 0-4H6a2 2 0 0 1 0-4h4',
  send: 'M14 2 2 7l4.5 2.5L9 14l5-12ZM6.5 9.5 14 2',
  server: 'M2.5 2.5h11v4.5h-11zM2.5 9h11v4.5h-11zM5 4.75h.01M5 11.25h.01',
  shield: 'M8 2 3 4v4c0 3 2 5 5 6 3-1 5-3 5-6V4L8 2Z',
  sparkle: 'M8 2l1.5 4.5L14 8l-4.5 1.5L8 14l-1.5-4.5L2 8l4.5-1.5z',
  star: 'm8 2 1.8 3.9 4.2.5-3.1 2.9.8 4.2L8 11.4l-3.7 2.1.8-4.2L2 6.4l4.2-.5z',
  table: 'M2 3h12v10H2zM2 6.5h12M2 10h12M6.5 6.5V13',
  tag: 'M2.5 2.5H8l5.5 5.5L8 13.5 2.5 8zM5.3 5.3h.01',
  waterfall: 'M2 3.5h6M5 8h6M9 12.5h5'
}

/** A small circle, for entries whose manifest names none that is here. */
const OTHER = 'M8 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z'

/** The icon of an entry. */
export const navIcon = (name: string | undefined): TemplateResult =>
  drawIcon(PATHS[name ?? ''] ?? OTHER)
