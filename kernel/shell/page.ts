// What the shell needs to know: the pages of the running plugins, and its options.
import type { Viewer } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'

/** A page of a running plugin, as the manifest declares it and the mounts place it. */
export interface ShellPage {
  readonly plugin: string
  readonly id: string
  readonly title: string
  /** Absolute address. */
  readonly path: string
  readonly element: string
  readonly role: 'public' | 'viewer' | 'admin'
  readonly embed: boolean
  /** Shown without the navigation; a window that another site opened keeps its opener. */
  readonly alone?: boolean
  readonly nav?: {
    readonly section: string
    readonly order?: number | undefined
    readonly icon?: string | undefined
  }
  /** Absolute path of the built module. */
  readonly file: string
  /** The self-contained file for other admin UIs; without it `file` is served. */
  readonly embedFile: string | undefined
  /** The mount of the plugin: what `host.fetch` is relative to. */
  readonly apiBase: string
}

export interface ShellOptions {
  /** Name of the installation, shown above the navigation and in window titles. */
  readonly title: string
  /** BCP 47. */
  readonly locale: string
  readonly publicUrl?: string | undefined
  /** Origins that may call the API with credentials, for embedded pages. See `allowEmbedOrigins`. */
  readonly embedOrigins: readonly string[]
  /** The pages of the plugins that run now. Those known at registration get their addresses. */
  pages(): readonly ShellPage[]
  viewerOf(request: FastifyRequest): Promise<Viewer | null>
  /** What the viewer may call, each as `<plugin>:<METHOD> <path as declared>`. For `host.can`. */
  routesFor(viewer: Viewer | null): readonly string[]
  /** The config fields of a plugin that are marked `public`; never anything else. */
  publicConfig(plugin: string): unknown
  /** Words below the sign-in form: how to get in on a demo. */
  signInHint?(): string | undefined
  /** Sets the not-found handler. Default true; false when the host has its own. */
  readonly answersNotFound?: boolean | undefined
  /** Where the browser files of @keelson/ui lie. Default: in the installed package. */
  readonly browserFolder?: string | undefined
}
