// Who is looking: asked once per request, kept on the request.
import { isOriginRight, KeelsonError, type OriginRule, type Viewer } from '@keelson/sdk'
import type { FastifyRequest } from 'fastify'
import { errors } from '../errors/errors.ts'

/** The host's answer to who is looking; null when the request is not signed in. */
export type ResolveViewer = (
  request: FastifyRequest
) => Viewer | null | undefined | Promise<Viewer | null | undefined>

/** What the kernel keeps of a request. It is also the context that a handler gets. */
export interface RequestState {
  viewer: Viewer | null
  machine: unknown
  /** Set once the viewer was asked for; resolves to `viewer`. */
  asked: Promise<Viewer | null> | undefined
  isKnown: boolean
  /** The access token of the request was taken by the route's guard. */
  isAdmitted: boolean
}

/** Not declared to Fastify, which would then set it on each request of the app, needed or not. */
const REQUEST_STATE = Symbol('keelson.request')

type StatefulRequest = FastifyRequest & { [REQUEST_STATE]?: RequestState }

/** The kernel's state of a request, made when it is first asked for. */
export function stateOf(request: FastifyRequest): RequestState {
  const stateful = request as StatefulRequest
  stateful[REQUEST_STATE] ??= {
    viewer: null,
    machine: null,
    asked: undefined,
    isKnown: false,
    isAdmitted: false
  }
  return stateful[REQUEST_STATE]
}

export interface Viewers {
  /** Calls back at once when the answer is known or given synchronously. */
  ask(request: FastifyRequest, done: (error: Error | null, viewer: Viewer | null) => void): void
  of(request: FastifyRequest): Promise<Viewer | null>
}

/**
 * The viewer of a public route. A change that a page of another site makes has none, whatever the browser adds to it:
 * public routes may take such changes, and must not take them for the person's own.
 */
export async function viewerOfPublic(
  { viewers, originRule }: { readonly viewers: Viewers; readonly originRule: OriginRule },
  request: FastifyRequest
): Promise<Viewer | null> {
  if (isOriginRight(originRule, request)) return viewers.of(request)
  return keep(stateOf(request), null)
}

/** `resolver` is asked for at each request: a plugin may provide it late. */
export function createViewers(resolver: () => ResolveViewer | undefined): Viewers {
  const resolve = (request: FastifyRequest, state: RequestState): Promise<Viewer | null> | null => {
    const answer = resolver()?.(request) ?? null
    if (answer !== null && 'then' in answer) return answer.then((found) => keep(state, found))
    keep(state, answer)
    return null
  }
  const failed = (cause: unknown) =>
    KeelsonError.is(cause) && cause.code === 'KRN_VIEWER_INVALID'
      ? cause
      : errors.KRN_VIEWER_FAILED({ cause })

  const start = (request: FastifyRequest, state: RequestState) => {
    try {
      const waiting = resolve(request, state)
      if (waiting !== null) {
        state.asked = waiting.catch((cause) => {
          throw failed(cause)
        })
      }
    } catch (cause) {
      throw failed(cause)
    }
  }

  return {
    ask(request, done) {
      const state = stateOf(request)
      try {
        if (!state.isKnown && state.asked === undefined) start(request, state)
      } catch (error) {
        done(error as Error, null)
        return
      }
      if (state.isKnown) done(null, state.viewer)
      else
        state.asked?.then(
          (viewer) => done(null, viewer),
          (error) => done(error, null)
        )
    },
    async of(request) {
      const state = stateOf(request)
      if (!state.isKnown && state.asked === undefined) start(request, state)
      return state.isKnown ? state.viewer : ((await state.asked) ?? null)
    }
  }
}

/**
 * An incomplete viewer is refused: an empty tenant would be a tenant that all such people share.
 *
 * @throws KRN_VIEWER_INVALID
 */
function keep(state: RequestState, answer: Viewer | null | undefined): Viewer | null {
  if (answer !== null && answer !== undefined) {
    const field = (['tenantId', 'role'] as const).find((name) => !isFilled(answer[name]))
    if (field !== undefined) throw errors.KRN_VIEWER_INVALID({ field })
  }
  state.viewer = answer ?? null
  state.isKnown = true
  return state.viewer
}

const isFilled = (value: unknown) => typeof value === 'string' && value.trim() !== ''
