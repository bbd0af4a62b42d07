// Tells JSX which Keelson pages this app uses.
import type { PageElements } from '@keelson/ui/jsx'
import type { HTMLAttributes, RefAttributes } from 'react'

type Base = HTMLAttributes<HTMLElement> & RefAttributes<HTMLElement>

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends PageElements<'telemetry-dashboard-events', Base> {}
  }
}
