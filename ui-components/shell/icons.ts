// Icons of the shell alone.
import type { TemplateResult } from 'lit'
import { drawIcon } from '../icons.ts'

const PATHS = {
  menu: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-10v1.500M8 13.500V15M1 8h1.500M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  moon: 'M13.5 9.500A6 6 0 0 1 6.5 2.500a6 6 0 1 0 7 7Z',
  screen: 'M2 3h12v8H2zM5.5 14h5',
  'sign-out': 'M6 2.500H3v11h3M10 5l3 3-3 3M13 8H6'
} as const

export type ShellIcon = keyof typeof PATHS

export const shellIcon = (name: ShellIcon, size = 16): TemplateResult => drawIcon(PATHS[name], size)
