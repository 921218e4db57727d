import type { Random } from '../sim/random.ts'
import type { Request } from './requests.ts'

/** A replica, as far as it is called. */
export interface Replica {
  app: { request: (path: string, init?: RequestInit) => Response | Promise<Response> }
}

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: judged by what is expected of it
  body: any
}

/** How often a client comes back while it is told to, and how soon. */
const [maxTries, pauseMs] = [200, 50]

/** What was seen that must not be. */
export class FalseAnswerError extends Error {
  override name = 'FalseAnswerError'
}

/** Sends one request and comes back as long as the answer is 503 with Retry-After. Counts how often that was. */
export async function ask(
  replicas: readonly Replica[],
  random: Random,
  { path, body }: Pick<Request, 'path' | 'body'>,
) {
  for (let away = 0; away < maxTries; away++) {
    const { app } = random.pick(replicas)
    const response = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer: Answer = { status: response.status, body: await response.json() }
    if (answer.status < 500) return { answer, away }
    if (answer.status !== 503 || !response.headers.get('retry-after')) {
      throw new FalseAnswerError(`${path} answered ${answer.status} ${JSON.stringify(answer.body)} without Retry-After`)
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  throw new FalseAnswerError(`${path} answered 503 ${maxTries} times.`)
}

/** Sends all requests at once, and does each of `disturb` when its share of them is answered. */
export async function fire(
  replicas: readonly Replica[],
  random: Random,
  requests: readonly Request[],
  disturb: readonly (() => Promise<void>)[],
): Promise<{ answers: Answer[]; away: number }> {
  let [done, away] = [0, 0]
  const due = disturb.map((work, index) => ({ at: (requests.length * (index + 1)) / (disturb.length + 2), work }))
  // One after the other: a server that is being restarted cannot be killed.
  let disturbed = Promise.resolve()
  const answering = Promise.all(
    requests.map(async (request) => {
      const { answer, away: times } = await ask(replicas, random, request)
      done++
      away += times
      for (; due[0] && done >= due[0].at; due.shift()) disturbed = disturbed.then(due[0].work)
      return judge(request, answer)
    }),
  )
  // Also after a false answer: nothing may be under way when the server is taken down.
  const answers = await answering.finally(() => disturbed)
  return { answers, away }
}

/** The answer, where it is the one expected. */
export function judge({ path, body, expected }: Request, answer: Answer): Answer {
  const { status, code, field } = expected
  if (answer.status === status && answer.body.code === code && answer.body.field === field) return answer
  const [sent, got, wanted] = [body, answer, expected].map((each) => JSON.stringify(each))
  throw new FalseAnswerError(`${path} ${sent} answered ${got}, not ${wanted}`)
}
