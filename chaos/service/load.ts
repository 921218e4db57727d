import { Agent, get } from 'node:http'

export interface Load {
  /** Ends it and answers how often each outcome was seen, and how long answers took. */
  stop: () => Promise<{ outcomes: ReadonlyMap<string, number>; times: readonly number[] }>
}

/** Sends so many requests a second, whatever becomes of them. No two have the same URL, so no cache answers. */
export function startLoad(urlOf: (count: number) => string, perSecond: number): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const outcomes = new Map<string, number>()
  const times: number[] = []
  const began = performance.now()
  let [sent, open] = [0, 0]
  let onIdle = () => {}
  const note = (outcome: string, from: number) => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    times.push(performance.now() - from)
    open--
    if (open === 0) onIdle()
  }
  const send = () => {
    const from = performance.now()
    open++
    const request = get(urlOf(sent++), { agent, timeout: 10_000 }, (response) => {
      response.resume()
      response.once('end', () => note(response.complete ? String(response.statusCode) : 'cut', from))
      response.once('error', () => {})
    })
    request.once('timeout', () => request.destroy(new Error('too slow')))
    request.once('error', (error) => note(error.message, from))
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
