// JSX that embeds one of our pages: the tag and its attributes have types.
import type { PageElements } from '@keelson/ui/jsx'
import type { HTMLAttributes } from 'react'

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements
      extends PageElements<'telemetry-dashboard-events', HTMLAttributes<HTMLElement>> {}
  }
}

/** An admin UI's page around ours. */
export const events = (
  <telemetry-dashboard-events
    api-base="https://platform.example/telemetry"
    color-scheme="dark"
    onkeelson-title={(event) => void event.detail}
  />
)

// @ts-expect-error: a page is light or dark
export const wrong = <telemetry-dashboard-events color-scheme="sepia" />
