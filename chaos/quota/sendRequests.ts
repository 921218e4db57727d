import type { Random } from '@svc/simulation/random'
import type { QuotaRequest } from './requests.ts'

/** The part of a replica that is called. */
export interface ReplicaApp {
  app: { request: (path: string, init?: RequestInit) => Response | Promise<Response> }
}

export interface ReplicaAnswer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: checked against the expected answer
  body: any
}

/** How often and after how long a client retries. */
const [maxTries, pauseMs] = [200, 50]

/** An answer that must not happen. */
export class WrongAnswerError extends Error {
  override name = 'WrongAnswerError'
}

/** Sends one request, and retries as long as the answer is 503 with Retry-After. Counts the retries. */
export async function sendUntilAnswered(
  replicas: readonly ReplicaApp[],
  random: Random,
  { path, body }: Pick<QuotaRequest, 'path' | 'body'>,
) {
  for (let away = 0; away < maxTries; away++) {
    const { app } = random.pick(replicas)
    const response = await app.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answer: ReplicaAnswer = { status: response.status, body: await response.json() }
    if (answer.status < 500) return { answer, away }
    if (answer.status !== 503 || !response.headers.get('retry-after')) {
      throw new WrongAnswerError(`${path} answered ${answer.status} ${JSON.stringify(answer.body)} without Retry-After`)
    }
    await new Promise((done) => setTimeout(done, pauseMs))
  }
  throw new WrongAnswerError(`${path} answered 503 ${maxTries} times.`)
}

/** Sends all requests at once, and runs each disruption when its share of them is answered. */
export async function sendRequests(
  replicas: readonly ReplicaApp[],
  random: Random,
  requests: readonly QuotaRequest[],
  disturb: readonly (() => Promise<void>)[],
): Promise<{ answers: ReplicaAnswer[]; away: number }> {
  let [done, away] = [0, 0]
  const due = disturb.map((work, index) => ({ at: (requests.length * (index + 1)) / (disturb.length + 2), work }))
  // One after another: a server that is restarting cannot be killed.
  let disturbed = Promise.resolve()
  const answering = Promise.all(
    requests.map(async (request) => {
      const { answer, away: times } = await sendUntilAnswered(replicas, random, request)
      done++
      away += times
      for (; due[0] && done >= due[0].at; due.shift()) disturbed = disturbed.then(due[0].work)
      return checkAnswer(request, answer)
    }),
  )
  // Also after a wrong answer: no restart may be running when the server is removed.
  const answers = await answering.finally(() => disturbed)
  return { answers, away }
}

/** Returns the answer if it is the expected one. */
export function checkAnswer({ path, body, expected }: QuotaRequest, answer: ReplicaAnswer): ReplicaAnswer {
  const { status, code, field } = expected
  if (answer.status === status && answer.body.code === code && answer.body.field === field) return answer
  const [sent, got, wanted] = [body, answer, expected].map((each) => JSON.stringify(each))
  throw new WrongAnswerError(`${path} ${sent} answered ${got}, not ${wanted}`)
}
