// The mark as a file, for the window's tab.

/** The icon of the platform, as an SVG file. */
export const BRAND_FILE = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" fill="none" stroke="#1789a8" stroke-width="2" stroke-linecap="round"><path d="M2.5 6c1 6 3.8 9.6 7.5 11 3.7-1.4 6.5-5 7.5-11"/><path d="M10 3v14M5.2 6.5h9.6"/></svg>
`
