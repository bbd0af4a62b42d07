// What can be done with a flow as a whole and with its runs: each asks the API, then reads again what changed.
import { type KeelsonPage, RequestError } from '@keelson/ui'
import { stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { mailHref, oneHref } from '../addresses.ts'
import type { FlowAnswer, RunAnswer } from './answers.ts'
import type { FlowDraft } from './draft.ts'
import { registerEditTexts } from './edit-texts.ts'
import { type LaneNode, laneOf, nodesOf } from './lane.ts'
import type { FlowLoads } from './loads.ts'
import { faultOf } from './unfinished.ts'

/** A step in which something is missing. */
export interface Unfinished extends LaneNode {
  readonly fault: string
}

/** A fault of a step as the API answers it. */
interface ServerFault {
  readonly path: string
  readonly code: string
  readonly facts?: Readonly<Record<string, string | number>>
}

/** The step that a path of a fault is in: `3` of `3.test`. */
function cardOf(steps: readonly FlowStep[], path: string): string {
  if (path === '' || stepAt(steps, path) !== undefined) return path
  return cardOf(steps, path.split('.').slice(0, -1).join('.'))
}

/** What the acts work on. */
export interface ActTarget {
  readonly loads: FlowLoads
  readonly draft: FlowDraft
  slug(): string
}

/** The acts, and what the dialog that asked for one shows. */
export class FlowActs {
  readonly #page: KeelsonPage
  readonly #target: ActTarget
  /** Why the last one was refused. */
  problem = ''
  isSending = false
  /** What the server refused, by the path of the step. */
  #refused: ReadonlyMap<string, string> = new Map()

  constructor(page: KeelsonPage, target: ActTarget) {
    this.#page = page
    this.#target = target
  }

  get #path(): string {
    return `/flows/${encodeURIComponent(this.#target.slug())}`
  }

  get #api() {
    return this.#target.loads.api
  }

  /** Steps that cannot be published, with the reason: what is missing in them, else what the server refused. */
  get faults(): ReadonlyMap<string, string> {
    const missing = this.unfinished.map(({ path, fault }) => [path, fault] as const)
    return new Map([...this.#refused, ...missing])
  }

  /** Steps in which something is missing, in the order of reading. */
  get unfinished(): readonly Unfinished[] {
    registerEditTexts()
    const { t } = this.#page
    return [...nodesOf(laneOf(this.#target.draft.steps ?? []))].flatMap((node) => {
      const fault = faultOf(node.step, t)
      return fault === undefined ? [] : [{ ...node, fault }]
    })
  }

  /** The draft changed since. */
  forgetFaults(): void {
    this.#refused = new Map()
  }

  /** Closes a dialog without its act. */
  readonly close = (): void => {
    this.problem = ''
    this.#page.go({ dialog: null, add: null }, { replace: true })
  }

  async publish(enable: boolean): Promise<void> {
    if (!(await this.#isSaved())) return
    const isDone = await this.#send(() =>
      this.#api.act('POST', `${this.#path}/publish`, { enable })
    )
    if (!isDone) return
    const version = this.#target.loads.flow.value?.version ?? 0
    this.#page.toast({ text: this.#page.t('flow.published', { version }), tone: 'good' })
  }

  /** Changes name and trigger. `bodyOf` may throw for what cannot be read. */
  async change(bodyOf: () => object): Promise<void> {
    if (!(await this.#isSaved())) return
    const { value } = this.#target.loads.flow
    await this.#send(async () =>
      this.#api.edit('PATCH', `${this.#path}/draft`, bodyOf(), value?.revision)
    )
  }

  /** Edits of steps are saved first; where they cannot be, the dialog says why. */
  async #isSaved(): Promise<boolean> {
    const { draft } = this.#target
    if (await draft.flush()) return true
    this.problem = draft.reason
    this.#page.requestUpdate()
    return false
  }

  /** Sends what a dialog asks for: it stays open after a refusal, with the reason. */
  async #send(act: () => Promise<unknown>): Promise<boolean> {
    if (this.isSending) return false
    this.isSending = true
    this.problem = ''
    this.#page.requestUpdate()
    try {
      await act()
      await this.#reload()
      this.close()
      return true
    } catch (error) {
      const detail = error instanceof RequestError ? error.detail['faults'] : undefined
      this.problem = this.#showFaults(detail) ?? this.#api.words(error)
      return false
    } finally {
      this.isSending = false
      this.#page.requestUpdate()
    }
  }

  /** Marks the cards that have a fault; returns the first one in words. A fault of the schema has a pointer for a path. */
  #showFaults(given: unknown): string | undefined {
    if (!Array.isArray(given)) return undefined
    const { t } = this.#page
    const { steps = [] } = this.#target.draft
    const faults = (given as readonly ServerFault[]).map(({ path, code, facts }) => ({
      path: cardOf(steps, path.replace(/^\//, '').replaceAll('/', '.')),
      words: t(`fault.${code}`, facts)
    }))
    this.#refused = new Map(faults.map(({ path, words }) => [path, words]))
    const [first] = faults
    const node = [...nodesOf(laneOf(steps))].find(({ path }) => path === first?.path)
    if (first === undefined || node === undefined) return first?.words
    const step = t(`step.${node.step.type}`)
    return t('flow.notReady', { number: node.number, step, fault: first.words })
  }

  async #reload(): Promise<void> {
    const { flow, counts } = this.#target.loads
    await Promise.all([flow.reload(), counts.reload()])
  }

  /** Where people are in it, a dialog asks what becomes of them. */
  async toggle({ enabled }: FlowAnswer): Promise<void> {
    const { counts } = this.#target.loads
    // Counts that are old, or not there yet, must not decide that there is nothing to ask.
    if (enabled) await counts.reload()
    if (enabled && counts.value?.totals.active !== 0) return this.#page.go({ dialog: 'pause' })
    const act = enabled ? 'pause' : 'resume'
    const isDone = await this.#api.attempt(() => this.#api.act('POST', `${this.#path}/${act}`))
    // A server that failed may have done it all the same: the page shows what is.
    await this.#reload()
    if (isDone) this.#page.toast({ text: this.#page.t(`flow.done.${act}`) })
  }

  /** Starts no more runs; `stops` ends those under way as well. */
  async pause(stops: boolean): Promise<void> {
    const act = stops ? 'stop' : 'pause'
    let ended = 0
    const isDone = await this.#send(async () => {
      const answer = await this.#api.act<{ abortedRuns?: number }>('POST', `${this.#path}/${act}`)
      ended = answer.abortedRuns ?? 0
    })
    if (isDone) this.#page.toast({ text: this.#page.t(`flow.done.${act}`, { count: ended }) })
  }

  async rollback(version: number): Promise<void> {
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('flow.rollbackHeading', { version }),
      text: t('flow.rollbackText'),
      action: t('flow.rollback', { version })
    })
    if (!isSure) return
    await this.#api.attempt(async () => {
      await this.#api.act('POST', `${this.#path}/rollback`, { version })
      await this.#reload()
    })
  }

  async duplicate({ slug, name }: FlowAnswer): Promise<void> {
    const { t } = this.#page
    const body = {
      slug: `${slug.slice(0, 120)}-copy`,
      name: t('flow.copyOf', { name }).slice(0, 200)
    }
    await this.#api.attempt(async () => {
      const copy = await this.#api.act<FlowAnswer>('POST', `${this.#path}/duplicate`, body)
      this.#page.page.navigate(oneHref(this.#page, 'flow', copy.slug))
    })
  }

  async remove({ name }: FlowAnswer): Promise<void> {
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('flow.deleteHeading', { name }),
      text: t('flow.deleteText'),
      action: t('flow.delete'),
      tone: 'bad'
    })
    if (!isSure) return
    await this.#api.attempt(async () => {
      await this.#api.act('DELETE', this.#path)
      this.#page.page.navigate(mailHref(this.#page, 'flows'))
    })
  }

  async stopRun({ _id, emailAtEntry, externalId }: RunAnswer): Promise<void> {
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('run.stopHeading', { contact: emailAtEntry ?? externalId }),
      text: t('run.stopText'),
      action: t('run.stop'),
      tone: 'bad'
    })
    if (isSure) await this.#actOnRun(_id, 'stop')
  }

  skipStep({ _id }: RunAnswer): Promise<void> {
    return this.#actOnRun(_id, 'skip')
  }

  async #actOnRun(id: string, act: 'stop' | 'skip'): Promise<void> {
    const { runs, counts } = this.#target.loads
    await this.#api.attempt(async () => {
      await this.#api.act('POST', `/runs/${encodeURIComponent(id)}/${act}`)
      this.#page.toast({ text: this.#page.t(`run.done.${act}`) })
      await Promise.all([runs.reload(), counts.reload()])
    })
  }
}
