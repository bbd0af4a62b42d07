// The one style sheet of the document itself; everything else lives in shadow roots.

/** The style sheet of the shell's documents. */
export const DOCUMENT_STYLES = `html {
  color-scheme: light dark;
  background: var(--keelson-canvas, light-dark(#f6f7f9, #0f131a));
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
html[data-scheme='light'] { color-scheme: light; }
html[data-scheme='dark'] { color-scheme: dark; }
body { margin: 0; }
noscript { display: block; padding: 24px; font: 15px/1.5 system-ui, sans-serif; }
`
