import { accounts, type Job, type Scene, sendClaim, sendPost } from '@svc/devnet'
import type { RequestJson } from '@svc/operations'
import { formatTaskId } from '@svc/protocol'
import { type Address, parseUnits } from 'viem'

/** Posts an open task with this text. */
export function postCountingTask(
  scene: Scene,
  text = 'Count the swifts over the old town\n\nAt dusk, for an hour.',
): Promise<Job> {
  return sendPost(scene, {
    poster: accounts.ada,
    text,
    amounts: [parseUnits('1200', 18)],
    duration: 86_400,
  })
}

/** Prepares a claim as an agent does: gets a 402, then a receipt, then the claim. */
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

/** Another worker claims first. */
export const claimFirst = (scene: Scene, job: Job) => sendClaim(scene, job, accounts.ivo)
