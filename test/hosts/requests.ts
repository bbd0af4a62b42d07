// Requests of tests to a counting host: writes that remember what was acknowledged.

export interface Writer {
  /** Ids whose write was answered with 200. */
  readonly acknowledged: string[]
  /** Statuses and errors of the others. */
  readonly refusals: string[]
  stop(): Promise<void>
}

/** Writes rows with `lanes` requests at a time until it is stopped. */
export function startWriting(url: string, prefix: string, lanes = 8): Writer {
  const acknowledged: string[] = []
  const refusals: string[] = []
  let isOver = false
  const lane = async (number: number) => {
    for (let count = 0; !isOver; count++) {
      const id = `${prefix}-${number}-${count}`
      const refusal = await write(url, id)
      if (refusal === undefined) acknowledged.push(id)
      else {
        refusals.push(refusal)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  const lanesRunning = Promise.all(Array.from({ length: lanes }, (_, number) => lane(number)))
  return {
    acknowledged,
    refusals,
    async stop() {
      isOver = true
      await lanesRunning
    }
  }
}

/** Writes one row; says why it was not acknowledged, if so. */
export async function write(url: string, id: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/rows/${id}`, {
      method: 'POST',
      signal: AbortSignal.timeout(60_000)
    })
    await response.arrayBuffer()
    return response.status === 200 ? undefined : `status ${response.status}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export async function idsAt(url: string, path: '/rows' | '/done'): Promise<Set<string>> {
  const response = await fetch(`${url}${path}`)
  const { ids } = (await response.json()) as { ids: string[] }
  return new Set(ids)
}

export async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/health/ready`)).status
}
