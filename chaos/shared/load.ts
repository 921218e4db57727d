import { Agent, get } from 'node:http'

export interface Load {
  /** Stops the load, and returns how often each outcome occurred and how long the answers took. */
  stop: () => Promise<{ outcomes: ReadonlyMap<string, number>; times: readonly number[] }>
}

/** Sends `perSecond` requests a second, whatever their outcome. Every URL is different, so no cache answers. */
export function startLoad(buildUrl: (count: number) => string, perSecond: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const outcomes = new Map<string, number>()
  const times: number[] = []
  const began = performance.now()
  let [sent, open] = [0, 0]
  let onIdle = () => {}
  const recordOutcome = (outcome: string, from: number) => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    times.push(performance.now() - from)
    open--
    if (open === 0) onIdle()
  }
  const send = () => {
    const from = performance.now()
    open++
    const request = get(buildUrl(sent++), { agent, timeout: 10_000 }, (response) => {
      response.resume()
      response.once('end', () => recordOutcome(response.complete ? String(response.statusCode) : 'cut', from))
      response.once('error', () => {})
    })
    request.once('timeout', () => request.destroy(new Error('too slow')))
    request.once('error', (error) => recordOutcome(error.message, from))
  }
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond
    while (sent < due) send()
  }, 5)
  return {
    async stop() {
      clearInterval(timer)
      if (open > 0) {
        await new Promise<void>((done) => {
          onIdle = done
        })
      }
      agent.destroy()
      return { outcomes, times }
    },
  }
}
