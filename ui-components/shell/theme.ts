// Theme: as the system, light or dark, kept in this browser.

export type Theme = 'system' | 'light' | 'dark'
export const THEMES: readonly Theme[] = ['system', 'light', 'dark']

const KEY = 'keelson-theme'

/** The theme that was chosen here before. */
export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY)
    return THEMES.find((theme) => theme === stored) ?? 'system'
  } catch {
    return 'system'
  }
}

/** Puts a theme in force for the document. */
export function applyTheme(theme: Theme): void {
  const root = document.documentElement
  if (theme === 'system') root.removeAttribute('data-scheme')
  else root.setAttribute('data-scheme', theme)
}

/** Puts a theme in force and keeps it. A browser that keeps nothing has it until it is closed. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme)
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Storage is off: the choice lasts as long as the document.
  }
}
