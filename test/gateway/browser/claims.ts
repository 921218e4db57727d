import { accounts, claim, type Job, post, type Scene } from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import type { RequestJson } from '@svc/protocol/http'
import { type Address, parseUnits } from 'viem'

/** Posts an open task with a text of one's own. */
export function postTask(
  scene: Scene,
  text = 'Count the swifts over the old town\n\nAt dusk, for an hour.',
): Promise<Job> {
  return post(scene, {
    poster: accounts.ada,
    text,
    amounts: [parseUnits('1200', 18)],
    duration: 86_400,
  })
}

/** The way of an agent: refused with 402, gets a receipt, and has the claim prepared. */
export async function prepareClaim(url: string, scene: Scene, job: Job, worker: Address): Promise<RequestJson> {
  const taskId = formatTaskId({ market: scene.market, number: job.id })
  const claimUrl = `${url}/v1/tasks/${taskId}/claim`
  const refused = await fetch(claimUrl, { method: 'POST' })
  if (refused.status !== 402) throw new Error(`Without a receipt the claim answers ${refused.status}.`)
  const answered = await fetch(`${url}/v1/payment-receipt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ taskId, address: worker }),
  })
  const { header } = (await answered.json()) as { header: { name: string; value: string } }
  const prepared = await fetch(claimUrl, { method: 'POST', headers: { [header.name]: header.value } })
  if (prepared.status !== 200) throw new Error(`With a receipt the claim answers ${await prepared.text()}`)
  return (await prepared.json()) as RequestJson
}

/** Somebody else is faster. */
export const claimFirst = (scene: Scene, job: Job) => claim(scene, job, accounts.ivo)
